package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** {@code Async.run} in a JVM that somebody else started. */
class AsLibraryTest {
    @TempDir
    Path directory;

    @BeforeEach
    void compile() throws Exception {
        LauncherProcess.write(directory, "App.java", """
                public class App {
                    public static void main(String[] args) {
                        org.trueasync.Async.run(() -> System.out.println("ran"));
                    }
                }
                """);
        SourceProgram.compile(
                directory.resolve("App.java"), List.of(), directory, new PrintWriter(System.err), new SourceTree());
    }

    @Test
    void flags_areEnough() throws Exception {
        assertThat(LauncherProcess.runAsLibrary(directory, LauncherProcess.FLAGS, "App"))
                .isEqualTo(new Result(0, "ran\n", ""));
    }

    @Test
    void withoutFlags_oneErrorNamesWhatIsMissing() throws Exception {
        Result result = LauncherProcess.runAsLibrary(directory, List.of(), "App");
        assertThat(result.err())
                .containsOnlyOnce("Exception in thread \"main\" org.trueasync.AsyncException: ")
                .contains(
                        "--add-opens java.base/java.lang=ALL-UNNAMED", "-javaagent:", "Add-Opens: java.base/java.lang")
                .contains("at App.main(App.java:3)");
        assertThat(result.err().lines().filter(line -> !line.startsWith("\t") && !line.startsWith("Caused by: ")))
                .hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(1);
    }

    /** The JVM waits 300 ms for threads in native code, as the JDK's pollers are, unless these leave it. */
    @Test
    @Tag("deep")
    void endOfTheProgram_isTheEndOfTheProcessAtOnce() throws Exception {
        LauncherProcess.write(directory, "Ends.java", """
                public class Ends {
                    public static void main(String[] args) {
                        Runtime.getRuntime().addShutdownHook(new Thread(
                                () -> System.out.println(System.currentTimeMillis())));
                        org.trueasync.Async.run(() -> org.trueasync.Async.delay(1));
                    }
                }
                """);
        LauncherProcess.compile(directory, "Ends.java");
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 20 && shortest >= 250; i++) {
            Result result = LauncherProcess.runAsLibrary(directory, LauncherProcess.FLAGS, "Ends");
            long ended = System.currentTimeMillis();
            shortest = Math.min(shortest, ended - Long.parseLong(result.out().strip()));
        }
        assertThat(shortest).as("milliseconds").isLessThan(250);
    }
}
