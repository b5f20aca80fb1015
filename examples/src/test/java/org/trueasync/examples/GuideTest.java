package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every program of the guide, of the course and of the site's front page compiles, runs, and prints what its page says;
 * all of them in one child JVM.
 */
@Tag("deep")
class GuideTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    // the tests that the factory returns run after it has ended
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path temporary;

    @TestFactory
    @Timeout(600)
    List<DynamicTest> program_printsWhatItsPageSays() throws Exception {
        List<GuideProgram> programs = GuideProgram.all(ROOT.resolve("docs/guide"));
        List<GuideProgram> front = GuideProgram.of(ROOT.resolve("site/index.md"));
        assertThat(programs).isNotEmpty();
        assertThat(front).isNotEmpty();
        programs.addAll(front);
        programs.addAll(GuideProgram.all(ROOT.resolve("docs/course")));
        compile(programs);
        String log = run(programs);
        return programs.stream()
                .map(program -> dynamicTest(program.name(), () -> check(program, log)))
                .toList();
    }

    private static Path folder(GuideProgram program) {
        return temporary.resolve(program.name());
    }

    private static void compile(List<GuideProgram> programs) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            for (GuideProgram program : programs) {
                Path folder = Files.createDirectory(folder(program));
                Path source = Files.writeString(folder.resolve("Example.java"), program.source());
                StringWriter messages = new StringWriter();
                List<String> options = List.of(
                        "-g",
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-classpath",
                        System.getProperty("java.class.path"));
                var task = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source));
                assertThat(task.call()).as(program.name() + ": " + messages).isTrue();
            }
        }
    }

    private static String run(List<GuideProgram> programs) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                GuideRunner.class.getName()));
        programs.forEach(program -> command.add(folder(program).toString()));
        Path log = temporary.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        if (!process.waitFor(500, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(
                    "still running after 500 s; the last of these programs hangs:\n" + Files.readString(log));
        }
        return Files.readString(log);
    }

    private static void check(GuideProgram program, String log) throws IOException {
        Path folder = folder(program);
        assertThat(folder.resolve("out")).as(log).exists();
        String errors = withoutNumbers(Files.readString(folder.resolve("err")));
        assertThat(errors).doesNotContain("Loop '");
        if (program.output() != null) {
            assertThat(Files.readString(folder.resolve("out"))).as(errors).isEqualTo(program.output());
        }
        if (program.errors() == null) {
            assertThat(errors).isEmpty();
        } else {
            assertThat(errors).contains(withoutNumbers(program.errors()).lines().toList());
        }
    }

    /** Coroutines are numbered through the process, so their numbers depend on what ran before. */
    private static String withoutNumbers(String text) {
        return text.replaceAll("#\\d+", "#");
    }
}
