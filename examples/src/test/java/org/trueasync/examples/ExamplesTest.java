package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example compiles; one with a file NAME.out beside it runs, and prints just that. */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("").toAbsolutePath();

    @TempDir
    Path temporary;

    @ParameterizedTest
    @MethodSource("all")
    void example_compiles(Path example) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-d", temporary.toString(), "-classpath", System.getProperty("java.class.path"));
            var task = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(example));
            assertThat(task.call()).as(messages::toString).isTrue();
        }
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("withOutput")
    void example_printsItsOutput(Path example) throws Exception {
        Path printed = temporary.resolve("printed");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.trueasync.launcher.Main",
                        "run",
                        // on a slow machine, loading classes alone can take longer than the limit
                        "--held-loop-after",
                        "off",
                        example.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        if (!process.waitFor(200, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(example + " still runs after 200 s; it printed:\n" + Files.readString(printed));
        }
        assertThat(Files.readString(printed)).isEqualTo(Files.readString(output(example)));
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void programInReadme_isTheFirstExample() throws Exception {
        String hello = Files.readString(EXAMPLES.resolve("Hello.java"));
        assertThat(Files.readString(EXAMPLES.resolveSibling("README.md"))).contains("```java\n" + hello + "```");
    }

    static List<Path> all() throws Exception {
        try (Stream<Path> found = Files.list(EXAMPLES)) {
            return found.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> withOutput() throws Exception {
        return all().stream().filter(example -> Files.exists(output(example))).toList();
    }

    private static Path output(Path example) {
        String name = example.getFileName().toString();
        return example.resolveSibling(name.substring(0, name.length() - ".java".length()) + ".out");
    }
}
