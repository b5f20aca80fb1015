package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The second run of a source file, whose compilation is kept, does what the first one did. */
@Tag("deep")
class KeptSourceTest {
    private static final String COMPILER = "com.sun.tools.javac.main.JavaCompiler";

    @TempDir
    Path directory;

    private Path cache;

    @BeforeEach
    void cache() {
        cache = directory.resolve("cache");
    }

    @Test
    void secondRun_isTheSameWithoutTheCompiler() throws Exception {
        LauncherProcess.write(directory, "App.java", """
                void main(String[] arguments) {
                    IO.println(String.join(",", arguments));
                    if (arguments.length == 2) throw new IllegalStateException("wanted");
                }
                """);
        assertThat(loadsCompiler("run", "App.java", "x")).isTrue();
        assertThat(loadsCompiler("run", "App.java", "x")).isFalse();
        Result first = runWithout("run", "App.java", "x", "y");
        Result second = run("run", "App.java", "x", "y");
        assertThat(second).isEqualTo(first);
        assertThat(second.err()).contains("IllegalStateException: wanted", "at App.main(App.java:3)");
    }

    @Test
    void changedSource_neverRunsOldCode() throws Exception {
        for (int i = 0; i < 3; i++) {
            LauncherProcess.write(directory, "App.java", "void main() { IO.println(Part.VALUE + " + i + "); }");
            LauncherProcess.write(directory, "Part.java", "class Part { static final int VALUE = 10; }");
            assertThat(run("run", "App.java").out()).isEqualTo(10 + i + "\n");
            LauncherProcess.write(directory, "Part.java", "class Part { static final int VALUE = 20; }");
            assertThat(run("run", "App.java").out()).isEqualTo(20 + i + "\n");
        }
    }

    @Test
    void changedLibrary_isCompiledAgainst() throws Exception {
        Path library = Files.createDirectory(directory.resolve("library"));
        LauncherProcess.write(directory, "App.java", "void main() { IO.println(Part.VALUE); }");
        for (int value : new int[] {1, 2}) {
            LauncherProcess.write(
                    library, "Part.java", "public class Part { public static final int VALUE = " + value + "; }");
            LauncherProcess.compile(library, "Part.java");
            Files.delete(library.resolve("Part.java"));
            assertThat(run("run", "-cp", "library", "App.java").out()).isEqualTo(value + "\n");
            assertThat(loadsCompiler("run", "-cp", "library", "App.java")).isFalse();
        }
    }

    @Test
    void previewFlag_isAnotherCompilation() throws Exception {
        LauncherProcess.write(directory, "App.java", "void main() { IO.println(1); }");
        assertThat(run("run", "App.java").out()).isEqualTo("1\n");
        assertThat(run(List.of("--enable-preview"), "run", "App.java").out()).isEqualTo("1\n");
        assertThat(run("run", "App.java").out()).isEqualTo("1\n");
        try (Stream<Path> kept = Files.list(cache)) {
            assertThat(kept).hasSize(2);
        }
    }

    @Test
    void warnings_areShownInEachRun() throws Exception {
        LauncherProcess.write(directory, "App.java", "void main() { if (false) new Thread().stop(); }");
        Result first = run("run", "App.java");
        assertThat(first.err()).contains("App.java:1: warning: [removal]");
        assertThat(run("run", "App.java")).isEqualTo(first);
        assertThat(loadsCompiler("run", "App.java")).isFalse();
    }

    @Test
    void sourceThatDoesNotCompile_isNotKept() throws Exception {
        LauncherProcess.write(directory, "App.java", "void main() { int n = \"\"; }");
        Result first = run("run", "App.java");
        assertThat(first.status()).isEqualTo(1);
        assertThat(run("run", "App.java")).isEqualTo(first);
        assertThat(cache).isEmptyDirectory();
    }

    private Result run(String... arguments) throws Exception {
        return run(List.of(), arguments);
    }

    private Result run(List<String> flags, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(LauncherProcess.FLAGS);
        all.addAll(flags);
        return LauncherProcess.run(directory, cache.toString(), all, arguments);
    }

    private Result runWithout(String... arguments) throws Exception {
        return LauncherProcess.run(directory, "off", LauncherProcess.FLAGS, arguments);
    }

    private boolean loadsCompiler(String... arguments) throws Exception {
        File log = directory.resolve("loaded.log").toFile();
        Result result = run(List.of("-Xlog:class+load:file=" + log), arguments);
        assertThat(result.status()).isZero();
        return Files.readString(log.toPath()).contains(COMPILER);
    }
}
