package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --watch} starts a program again when it has changed. */
@Tag("deep")
class RestartsTest {
    @TempDir
    Path directory;

    private Process process;
    private BufferedReader out;

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private void start(String... arguments) throws Exception {
        process = LauncherProcess.starting(directory, arguments)
                .redirectErrorStream(true)
                .start();
        out = process.inputReader();
        CompletableFuture.delayedExecutor(100, TimeUnit.SECONDS).execute(process::destroyForcibly);
    }

    /** Reads lines up to one with this text. */
    private String awaitLine(String text) throws Exception {
        String line = out.readLine();
        while (line != null && !line.contains(text)) line = out.readLine();
        assertThat(line).isNotNull();
        return line;
    }

    private void write(String file, String text) throws Exception {
        Path unfinished = Files.writeString(directory.resolve("unfinished"), text);
        Files.move(unfinished, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String service(String name) {
        return """
                import static org.trueasync.Async.*;
                void main(String[] arguments) {
                    try {
                        IO.println("%s " + Part.TEXT + String.join(",", arguments));
                        delay(1_000_000);
                    } finally {
                        IO.println("%s ends");
                    }
                }
                """.formatted(name, name);
    }

    @Test
    void changedSources_areRunInItsPlace() throws Exception {
        write("App.java", service("one"));
        write("Part.java", "class Part { static final String TEXT = \"a\"; }");
        start("run", "--watch", "App.java", "--watch");
        awaitLine("one a--watch");
        write("Part.java", "class Part { static final String TEXT = \"b\"; }");
        assertThat(awaitLine("has changed")).endsWith("Part.java has changed; starting again");
        assertThat(out.readLine()).isEqualTo("one ends"); // before the new one begins
        awaitLine("one b");

        write("App.java", service("two") + "}"); // the old one goes on
        awaitLine("App.java:10: error");
        write("App.java", service("two"));
        awaitLine("one ends");
        awaitLine("two b");

        Files.delete(directory.resolve("App.java"));
        awaitLine("no readable file App.java");
        write("App.java", "void main() { IO.println(\"short\"); System.exit(3); }");
        awaitLine("short");
        awaitLine("the program has ended with status 3");
        write("App.java", service("three"));
        awaitLine("three b");

        process.toHandle().destroy(); // leaves its output open
        awaitLine("three ends");
        assertThat(process.waitFor()).isEqualTo(128 + 15);
    }

    @Test
    void changedClasses_areRunInTheirPlace() throws Exception {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        for (int round = 0; round < 2; round++) {
            LauncherProcess.write(classes, "App.java", """
                    public class App {
                        public static void main(String[] arguments) {
                            System.out.println("round %d");
                        }
                    }
                    """.formatted(round));
            LauncherProcess.compile(classes, "App.java");
            if (round == 0) start("run", "--watch", "-cp", "classes", "App");
            awaitLine("round " + round);
            awaitLine("the program has ended with status 0");
        }
    }
}
