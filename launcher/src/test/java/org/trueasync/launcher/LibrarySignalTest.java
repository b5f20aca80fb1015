package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shutdownOn} under plain {@code java}, with real signals. */
@Tag("deep")
class LibrarySignalTest {
    @TempDir
    Path directory;

    private record Ended(int status, String out) {}

    private int finallyMillis = 50;
    private boolean again;
    private String task = "";

    @Test
    void sigterm_runsEveryFinally() throws Exception {
        assertThat(ended("builder.shutdownOn()", "TERM", 1)).isEqualTo(new Ended(143, "finally one\n"));
    }

    @Test
    void sigint_runsEveryFinally() throws Exception {
        assertThat(ended("org.trueasync.io.Signals.shutdownOn(builder, org.trueasync.io.Signal.SIGINT)", "INT", 1)
                        .status())
                .isEqualTo(130);
    }

    @Test
    void anotherSignalThatWasNamed_endsTheProcessToo() throws Exception {
        assertThat(ended("org.trueasync.io.Signals.shutdownOn(builder, org.trueasync.io.Signal.SIGUSR2)", "USR2", 1))
                .isEqualTo(new Ended(128 + 12, "finally one\n"));
    }

    @Test
    void severalRuntimes_allEnd() throws Exception {
        Ended ended = ended("builder.shutdownOn()", "TERM", 3);
        assertThat(ended.status()).isEqualTo(143);
        assertThat(ended.out()).contains("finally one\n", "finally two\n", "finally three\n");
    }

    @Test
    void secondSignal_endsTheProcessAtOnce() throws Exception {
        finallyMillis = 3_600_000;
        again = true;
        assertThat(ended("builder.shutdownTimeout(java.time.Duration.ofHours(1)).shutdownOn()", "TERM", 1))
                .isEqualTo(new Ended(143, ""));
    }

    @Test
    @Tag("D24")
    void taskUnderWay_isFinishedBeforeTheOthersAreCancelled() throws Exception {
        task = "Async.delay(1_000); System.out.println(\"task done\");";
        assertThat(ended("builder.shutdownOn()", "TERM", 2).out())
                .containsOnlyOnce("finally one\n")
                .containsOnlyOnce("finally two\n")
                .matches("(?s).*task done.*task done.*")
                .doesNotStartWith("finally one\nfinally two\n");
    }

    /** A third signal does not come, as the process has ended. */
    @Test
    @Tag("D24")
    void secondSignal_endsTheDrain() throws Exception {
        task = "Async.delay(3_600_000);";
        again = true;
        assertThat(ended("builder.drainTimeout(java.time.Duration.ofHours(1)).shutdownOn()", "TERM", 1))
                .isEqualTo(new Ended(143, "finally one\n"));
    }

    private Ended ended(String call, String signal, int runtimes) throws Exception {
        LauncherProcess.write(directory, "Serves.java", """
                import org.trueasync.*;
                public class Serves {
                    public static void main(String[] a) throws Exception {
                        String[] names = {"one", "two", "three"};
                        for (int i = 1; i < %d; i++) { int n = i; new Thread(() -> serve(names[n])).start(); }
                        serve(names[0]);
                    }
                    static void serve(String name) {
                        AsyncRuntime.Builder builder = Async.runtime().name(name);
                        %s.run(() -> {
                            try {
                                Async.executor().execute(() -> { %s });
                                Async.suspend();
                                System.out.println("serving");
                                Async.delay(60_000);
                            } finally {
                                Async.protect(() -> Async.delay(%d));
                                System.out.println("finally " + name);
                            }
                        });
                    }
                }
                """.formatted(runtimes, call, task, finallyMillis));
        SourceProgram.compile(
                directory.resolve("Serves.java"), List.of(), directory, new PrintWriter(System.err), new SourceTree());
        // a build that a script has put into the background inherits that SIGINT is ignored, and so would this
        List<String> command = new ArrayList<>(List.of("env", "--default-signal", LauncherProcess.java()));
        command.addAll(LauncherProcess.FLAGS);
        command.addAll(List.of("-cp", String.join(":", LauncherProcess.classPath()) + ":" + directory, "Serves"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            for (int i = 0; i < runtimes; i++) assertThat(out.readLine()).isEqualTo("serving");
            String kill = "kill -%s %d".formatted(signal, process.pid());
            // once, or until it has ended, as somebody who has lost patience
            new ProcessBuilder("sh", "-c", again ? "while " + kill + " 2>&-; do sleep 1.2; done" : kill).start();
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            String rest = out.lines().map(line -> line + "\n").collect(Collectors.joining());
            return new Ended(process.exitValue(), rest);
        } finally {
            process.destroyForcibly();
        }
    }
}
