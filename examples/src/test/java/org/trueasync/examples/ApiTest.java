package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each module exports is what its file {@code api.txt} says, so that no signature changes unseen. */
class ApiTest {
    /** With it, the files are written anew. */
    private static final String ACCEPT = "trueasync.api.accept";

    private static final Pattern EXPORTS = Pattern.compile("^\\s*exports ([\\w.]+);", Pattern.MULTILINE);

    @ParameterizedTest
    @CsvSource({
        "core, src/main/java",
        "reactor-libuv, src/main/java",
        "reactor-nio, src/main/java",
        "jdbc, src/main/java",
        "cluster, src/main/java",
        "testkit, src/main/module"
    })
    void signaturesOfTheModule_areThoseThatWereAccepted(String module, String descriptor) throws Exception {
        Path folder = Path.of("").toAbsolutePath().resolveSibling(module);
        Path accepted = folder.resolve("api.txt");
        List<String> signatures = signatures(folder, folder.resolve(descriptor).resolve("module-info.java"));
        assertThat(signatures).isNotEmpty().noneMatch(line -> line.contains(".internal."));
        if (System.getProperty(ACCEPT) != null) {
            Files.write(accepted, signatures);
            return;
        }
        List<String> differences = differences(Files.readAllLines(accepted), signatures);
        assertThat(differences)
                .as(
                        "%s/api.txt; if users may see this change, write it anew: mvn test -Dtest=ApiTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s",
                        module, ACCEPT)
                .isEmpty();
    }

    private static List<String> signatures(Path module, Path descriptor) throws Exception {
        List<String> lines = new ArrayList<>();
        String text = Files.readString(descriptor);
        for (String exported : EXPORTS.matcher(text)
                .results()
                .map(found -> found.group(1))
                .sorted()
                .toList()) {
            for (String name : topLevelClasses(module, exported)) {
                lines.addAll(
                        Signatures.of(Class.forName(exported + "." + name, false, ApiTest.class.getClassLoader())));
            }
        }
        return lines;
    }

    private static Set<String> topLevelClasses(Path module, String exported) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> sources = Files.list(module.resolve("src/main/java").resolve(exported.replace('.', '/')))) {
            sources.map(source -> source.getFileName().toString())
                    .filter(name -> name.endsWith(".java") && !name.startsWith("package-info"))
                    .forEach(name -> names.add(name.replace(".java", "")));
        }
        return names;
    }

    /** Lines of one side only, each member with its class. */
    private static List<String> differences(List<String> accepted, List<String> now) {
        List<String> before = withClasses(accepted);
        List<String> after = withClasses(now);
        List<String> differences = new ArrayList<>();
        before.stream().filter(line -> !after.contains(line)).forEach(line -> differences.add("- " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> differences.add("+ " + line));
        return differences;
    }

    private static List<String> withClasses(List<String> lines) {
        List<String> all = new ArrayList<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith(" ")) {
                all.add(type + ": " + line.strip());
            } else {
                type = line.replaceFirst(".*?(?:class|interface|enum|record) ([\\w.$]+).*", "$1");
                all.add(line);
            }
        }
        return all;
    }
}
