package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptProgramsTest {
    @TempDir
    Path directory;

    private Path cache;
    private Path sources;

    @BeforeEach
    void directories() throws Exception {
        cache = Files.createDirectory(directory.resolve("cache"));
        sources = Files.createDirectory(directory.resolve("sources"));
    }

    @Test
    void programThatHasNotChanged_isUsedAgainWithItsMessages() throws Exception {
        Path file = write("Start.java", "void main() { new Thread(() -> {}).stop(); }");
        String messages = keep("a", file);
        assertThat(messages).contains("warning");
        KeptPrograms.Kept kept = KeptPrograms.in(cache, "a").find();
        assertThat(kept).isNotNull();
        assertThat(kept.mainClass()).isEqualTo("Start");
        assertThat(kept.messages()).isEqualTo(messages);
        assertThat(classesIn(kept)).contains("Start.class");
    }

    @Test
    void otherCircumstances_areAnotherProgram() throws Exception {
        keep("a", write("Start.java", "void main() {}"));
        assertThat(KeptPrograms.in(cache, "b").find()).isNull();
    }

    @Test
    void changedSource_isNotUsed_evenIfItsDateAndSizeAreTheSame() throws Exception {
        Path file = write("Start.java", "void main() { IO.println(1); }");
        FileTime date = Files.getLastModifiedTime(file);
        keep("a", file);
        write("Start.java", "void main() { IO.println(2); }");
        Files.setLastModifiedTime(file, date);
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    @Test
    void changedFileThatTheProgramUses_isNoticed() throws Exception {
        write("p/Other.java", "package p; public class Other { public static final int VALUE = 1; }");
        keep("a", write("Start.java", "void main() { IO.println(p.Other.VALUE); }"));
        assertThat(KeptPrograms.in(cache, "a").find()).isNotNull();
        write("p/Other.java", "package p; public class Other { public static final int VALUE = 2; }");
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    @Test
    void newFileThatTheProgramWouldUse_isNoticed() throws Exception {
        keep("a", write("Start.java", "import java.util.*; void main() { IO.println(new ArrayList<>()); }"));
        write("ArrayList.java", "class ArrayList<T> {}");
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    @Test
    void newDirectoryThatTheProgramWouldUse_isNoticed() throws Exception {
        Path part = write("q/Part.java", "package q; public class Part {}");
        Path library = Files.createTempDirectory(directory, "library");
        SourceProgram.compile(part, List.of(), library, new PrintWriter(new StringWriter()), new SourceTree());
        Files.delete(part);
        Files.delete(part.getParent());
        keep("a", write("Start.java", "import q.*; void main() { new Part(); }"), library);
        assertThat(KeptPrograms.in(cache, "a").find()).isNotNull();
        write("q/Part.java", "package q; public class Part {}");
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    @Test
    void missingFile_isNoticed() throws Exception {
        Path other = write("Other.java", "class Other {}");
        keep("a", write("Start.java", "void main() { new Other(); }"));
        Files.delete(other);
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    @Test
    void fileThatChangesWhileItIsCompiled_isNotKept() throws Exception {
        Path file = write("Start.java", "void main() { IO.println(1); }");
        SourceTree tree = new SourceTree();
        Path classes = Files.createTempDirectory(directory, "classes");
        SourceProgram.compile(file, List.of(), classes, new PrintWriter(new StringWriter()), tree);
        write("Start.java", "void main() { IO.println(2); }");
        KeptPrograms.in(cache, "a").keep("Start", "", tree, List.of(), classes);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void libraryThatNamesOthersInItsManifest_isNotKeptWith() throws Exception {
        Path file = write("Start.java", "void main() {}");
        Path library = directory.resolve("library.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "other.jar");
        new JarOutputStream(Files.newOutputStream(library), manifest).close();
        SourceTree tree = new SourceTree();
        Path classes = Files.createTempDirectory(directory, "classes");
        SourceProgram.compile(file, List.of(library), classes, new PrintWriter(new StringWriter()), tree);
        KeptPrograms.in(cache, "a").keep("Start", "", tree, List.of(library), classes);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void brokenJar_isReplaced() throws Exception {
        Path file = write("Start.java", "void main() {}");
        keep("a", file);
        Path jar = KeptPrograms.in(cache, "a").find().jar();
        for (byte[] content : List.of(new byte[0], new byte[100], shortened(Files.readAllBytes(jar)))) {
            Files.write(jar, content);
            assertThat(KeptPrograms.in(cache, "a").find()).isNull();
        }
        keep("a", file);
        assertThat(KeptPrograms.in(cache, "a").find()).isNotNull();
    }

    @Test
    void programsThatKeepAtOnce_leaveOneWholeJar() throws Exception {
        Path file = write("Start.java", "void main() {}");
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Callable<String>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) tasks.add(() -> keep("a", file));
            for (Future<String> done : threads.invokeAll(tasks)) done.get();
        }
        assertThat(KeptPrograms.in(cache, "a").find()).isNotNull();
        assertThat(cache).isDirectoryContaining("glob:**.jar").isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void whatNobodyUsed_isRemoved() throws Exception {
        Path file = write("Start.java", "void main() {}");
        keep("old", file);
        Path old = KeptPrograms.in(cache, "old").find().jar();
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(31))));
        for (int i = 0; i < 150; i++) {
            Path recent = Files.createFile(cache.resolve(i + ".jar"));
            Files.setLastModifiedTime(recent, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        }
        keep("new", file);
        assertThat(old).doesNotExist();
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).hasSize(100);
        }
        assertThat(KeptPrograms.in(cache, "new").find()).isNotNull();
    }

    @Test
    void unwritableCache_isNoError() throws Exception {
        Files.delete(cache);
        keep("a", write("Start.java", "void main() {}"));
        assertThat(KeptPrograms.in(cache, "a").find()).isNull();
    }

    private String keep(String circumstances, Path file, Path... libraries) throws Exception {
        SourceTree tree = new SourceTree();
        Path classes = Files.createTempDirectory(directory, "classes");
        StringWriter messages = new StringWriter();
        List<Path> path = List.of(libraries);
        String mainClass = SourceProgram.compile(file, path, classes, new PrintWriter(messages), tree);
        KeptPrograms.in(cache, circumstances).keep(mainClass, messages.toString(), tree, path, classes);
        return messages.toString();
    }

    private Path write(String name, String text) throws Exception {
        Path file = sources.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static byte[] shortened(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length / 2);
    }

    private static List<String> classesIn(KeptPrograms.Kept kept) throws Exception {
        try (var jar = new JarFile(kept.jar().toFile())) {
            return jar.stream().map(JarEntry::getName).toList();
        }
    }
}
