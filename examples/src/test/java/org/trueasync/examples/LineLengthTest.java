package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comments and prose fit the lines that {@code .editorconfig} sets. Code is wrapped by the formatter. */
class LineLengthTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @ParameterizedTest
    @ValueSource(strings = {"java", "md"})
    void comments_andProse_fitTheirLines(String kind) throws IOException {
        int limit = limit(kind);
        List<String> tooLong = new ArrayList<>();
        List<Path> files = files(kind);
        for (Path file : files) {
            boolean fenced = false;
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.strip();
                if (text.startsWith("```")) fenced = !fenced;
                boolean isProse = kind.equals("md") ? !fenced && !text.startsWith("|") : isComment(text);
                if (isProse && line.length() > limit && line.lastIndexOf(' ', limit) > line.indexOf(text) + 2)
                    tooLong.add(ROOT.relativize(file) + ":" + number + ": " + line.length() + " characters");
            }
        }
        assertThat(files).hasSizeGreaterThan(100);
        assertThat(tooLong).as("lines of more than " + limit + " characters").isEmpty();
    }

    private static boolean isComment(String text) {
        return text.startsWith("*") || text.startsWith("//") || text.startsWith("/*");
    }

    private static int limit(String kind) throws IOException {
        var setting = Pattern.compile("\\[\\*\\." + kind + "]\\R(?:\\w.*\\R)*?max_line_length = (\\d+)")
                .matcher(Files.readString(ROOT.resolve(".editorconfig")));
        assertThat(setting.find()).isTrue();
        return Integer.parseInt(setting.group(1));
    }

    /** All sources of a kind, by the ending of their names. */
    static List<Path> files(String kind) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean isSource = folder.equals(ROOT)
                        || !(name.startsWith(".")
                                || Set.of("target", "node_modules").contains(name));
                return isSource ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith("." + kind)) files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
