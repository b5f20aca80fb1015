package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The ends that do not come from {@code main} returning: signals and {@code System.exit}. */
class ProcessEndTest {
    private static final String SERVER = """
        import static org.trueasync.Async.*;
        void main() throws Exception {
            for (int i = 1; i <= 3; i++) {
                int n = i;
                spawn(() -> { try { delay(60_000); } finally { delay(10 * n); IO.println("connection " + n + " closed"); } });
            }
            delay(50);
            IO.println("serving");
            %s
            delay(60_000);
        }
        """;
    private static final String CLOSED = "serving\nconnection 1 closed\nconnection 2 closed\nconnection 3 closed\n";

    @TempDir
    Path directory;

    /** A command that begins when the end of its process has begun. */
    @Test
    void signalWhileTheCommandStarts_isNoError() throws Exception {
        Files.writeString(directory.resolve("Ending.java"), """
            public class Ending {
                public static void main(String[] arguments) throws Exception {
                    Thread main = Thread.currentThread();
                    var begun = new java.util.concurrent.CountDownLatch(1);
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                        begun.countDown();
                        try { main.join(500); } catch (InterruptedException e) { throw new AssertionError(e); }
                    }));
                    new Thread(() -> System.exit(7)).start();
                    begun.await();
                    org.trueasync.launcher.Main.main(new String[] {"run", "-cp", ".", "Ending"});
                    System.out.println("goes on");
                }
            }
            """);
        LauncherProcess.compile(directory, "Ending.java");
        assertThat(LauncherProcess.runAsLibrary(directory, LauncherProcess.FLAGS, "Ending"))
                .isEqualTo(new Result(7, "", ""));
    }

    @Test
    void signal_letsEveryCoroutineFinish() throws Exception {
        assertThat(run(SERVER.formatted(kill("TERM")))).isEqualTo(new Result(128 + 15, CLOSED, ""));
    }

    @Test
    @Tag("deep")
    void interrupt_letsEveryCoroutineFinish() throws Exception {
        assumeThat(isInterruptIgnored())
                .as("SIGINT is ignored, as for a build that a script has put into the background; children inherit"
                        + " that")
                .isFalse();
        assertThat(run(SERVER.formatted(kill("INT")))).isEqualTo(new Result(128 + 2, CLOSED, ""));
    }

    static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) return false;
        String mask = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElse("SigIgn: 0")
                .substring("SigIgn:".length());
        return (Long.parseUnsignedLong(mask.strip(), 16) & 0b10) != 0;
    }

    @Test
    @Tag("deep")
    void systemExit_letsTheOthersFinish() throws Exception {
        assertThat(run(SERVER.formatted("System.exit(3);"))).isEqualTo(new Result(3, CLOSED, ""));
    }

    @Test
    @Tag("deep")
    void systemExitInCoroutine_endsWaitingMain() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() {
                spawn(() -> { delay(20); System.exit(4); return null; });
                try { delay(60_000); } finally { IO.println("main ends"); }
            }
            """);
        assertThat(result).isEqualTo(new Result(4, "main ends\n", ""));
    }

    @Test
    @Tag("deep")
    void systemExitInScope_isNoDeadlockForWhoWaitsForTheScope() throws Exception {
        Result result = run("""
            import org.trueasync.*;
            import static org.trueasync.Async.*;
            void main() {
                try (var scope = new Scope()) {
                    scope.spawn(() -> { delay(20); System.exit(4); return null; });
                    delay(60_000);
                } finally {
                    IO.println("main ends");
                }
            }
            """);
        assertThat(result).isEqualTo(new Result(4, "main ends\n", ""));
    }

    @Test
    @Tag("deep")
    void systemExitOnOneCore_endsAllCores() throws Exception {
        Result result = run("""
            import org.trueasync.*;
            import static org.trueasync.Async.*;
            import java.util.concurrent.atomic.AtomicInteger;
            static final AtomicInteger waiting = new AtomicInteger();
            void main() {
                Cores.builder().count(2).run(() -> {
                    if (Cores.current().index() == 1) {
                        while (waiting.get() == 0) delay(1);
                        System.exit(4);
                    }
                    try { waiting.incrementAndGet(); delay(60_000); } finally { IO.println("core 0 ends"); }
                });
            }
            """);
        assertThat(result).isEqualTo(new Result(4, "core 0 ends\n", ""));
    }

    @Test
    @Tag("deep")
    void coroutineThatDoesNotEnd_isAbandonedAndNamed() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() throws Exception {
                spawn(() -> { while (true) { try { delay(60_000); } catch (Error e) { } } });
                delay(10);
                %s
                delay(60_000);
            }
            """.formatted(kill("TERM")), "--shutdown-timeout", "0.5");
        assertThat(result.status()).isEqualTo(128 + 15);
        assertThat(result.err())
                .containsOnlyOnce("the shutdown timeout is 0.5 s")
                .containsOnlyOnce("spawned Server.java:3");
    }

    @Test
    @Tag("deep")
    void loopThatNeverYields_doesNotHoldTheProcess() throws Exception {
        Result result = run("""
            void main() throws Exception {
                %s
                while (true) Thread.onSpinWait();
            }
            """.formatted(kill("TERM")), "--drain-timeout", "0", "--shutdown-timeout", "0.3");
        assertThat(result.status()).isEqualTo(128 + 15);
        assertThat(result.err()).contains("not ended within 0.3 s");
    }

    private static final String DRAINS = """
        import static org.trueasync.Async.*;
        import org.trueasync.spi.Cleanup;
        void main() throws Exception {
            executor().execute(() -> { delay(%d); IO.println("task done"); });
            Cleanup.onDrain(() -> { IO.println("hook"); delay(100); IO.println("hook done"); });
            delay(50);
            %s
            try { delay(3_600_000); } finally { IO.println("main ends"); }
        }
        """;

    @Test
    @Tag("deep")
    @Tag("D24")
    void signal_drainsFirst() throws Exception {
        Result result = run(DRAINS.formatted(700, kill("TERM")), "--drain-timeout", "3600");
        assertThat(result).isEqualTo(new Result(128 + 15, "hook\nhook done\ntask done\nmain ends\n", ""));
    }

    @Test
    @Tag("deep")
    @Tag("D24")
    void drainThatTakesTooLong_isCutOffAndItsWorkNamed() throws Exception {
        Result result = run(DRAINS.formatted(3_600_000, kill("TERM")), "--drain-timeout", "0.5");
        assertThat(result.status()).isEqualTo(128 + 15);
        assertThat(result.out()).isEqualTo("hook\nhook done\nmain ends\n");
        assertThat(result.err())
                .startsWith("The drain ends, and all coroutines are cancelled, although work was still under way after"
                        + " 0.5 s (drainTimeout):")
                .contains("Server.java:4");
    }

    /** The second signal ends the drain; a third one does not come, as the process has ended. */
    @Test
    @Tag("deep")
    @Tag("D24")
    void secondSignal_endsTheDrain() throws Exception {
        Result result = run(DRAINS.formatted(3_600_000, killAgainAndAgain()), "--drain-timeout", "3600");
        assertThat(result).isEqualTo(new Result(128 + 15, "hook\nhook done\nmain ends\n", ""));
    }

    @Test
    @Tag("deep")
    @Tag("D24")
    void thirdSignal_endsTheProcess() throws Exception {
        String neverEnds = "try { delay(3_600_000); } finally { protect(() -> delay(3_600_000)); }";
        Result result = run(
                DRAINS.formatted(3_600_000, killAgainAndAgain() + neverEnds),
                "--drain-timeout",
                "3600",
                "--shutdown-timeout",
                "3600");
        assertThat(result.status()).isEqualTo(128 + 15);
        assertThat(result.out()).isEqualTo("hook\nhook done\n");
        assertThat(result.err()).contains("a second signal has ended the process before its coroutines had ended");
    }

    @Test
    @Tag("deep")
    @Tag("D24")
    void systemExitInATask_doesNotWaitForItself() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() {
                executor().execute(() -> { delay(20); System.exit(4); });
                executor().execute(() -> { delay(20); delay(100); IO.println("other task"); System.exit(5); });
                try { delay(60_000); } finally { IO.println("main ends"); }
            }
            """, "--drain-timeout", "3600");
        assertThat(result).isEqualTo(new Result(4, "other task\nmain ends\n", ""));
    }

    private static String killAgainAndAgain() {
        return "new ProcessBuilder(\"sh\", \"-c\", \"while kill -TERM %d; do sleep 1.3; done\".formatted("
                + "ProcessHandle.current().pid())).redirectErrorStream(true)"
                + ".redirectOutput(new File(\"/dev/null\")).start();\n";
    }

    /** The next one comes once the first has been noticed for more than a second. */
    @Test
    @Tag("deep")
    void secondSignal_endsTheProcessAtOnce() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() throws Exception {
                new ProcessBuilder("sh", "-c", "while kill -TERM %d; do sleep 1.1; done".formatted(ProcessHandle.current().pid()))
                    .redirectErrorStream(true).redirectOutput(new File("/dev/null")).start();
                while (true) Thread.onSpinWait();
            }
            """, "--shutdown-timeout", "3600");
        assertThat(result.status()).isEqualTo(128 + 15);
        assertThat(result.err())
                .contains("a second signal has ended the process before its coroutines had ended")
                .doesNotContain("not ended within");
    }

    @Test
    @Tag("deep")
    void sameSignalTwiceAtOnce_isOne() throws Exception {
        // by one process: the second one counts from a second after the first
        String twice = "long me = ProcessHandle.current().pid();"
                + " new ProcessBuilder(\"sh\", \"-c\", \"kill -TERM \" + me + \"; kill -TERM \" + me).start();";
        assertThat(run(SERVER.formatted(twice))).isEqualTo(new Result(128 + 15, CLOSED, ""));
    }

    @Test
    @Tag("deep")
    void shutdownByTheProgram_isNoFailure() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() {
                spawn(() -> { try { delay(60_000); } finally { IO.println("closed"); } });
                delay(10);
                gracefulShutdown();
                delay(60_000);
            }
            """);
        assertThat(result).isEqualTo(new Result(0, "closed\n", ""));
    }

    @Test
    @Tag("deep")
    void coroutineThatDoesNotEndWithTheProgramsShutdown_isNamedToo() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() {
                spawn(() -> { while (true) try { Thread.sleep(60_000); } catch (InterruptedException e) { } });
                suspend();
                gracefulShutdown();
            }
            """, "--shutdown-timeout", "0.3");
        assertThat(result.err())
                .startsWith("1 coroutine was abandoned, as it did not end when told to")
                .contains("the shutdown timeout is 0.3 s")
                .containsOnlyOnce("spawned Server.java:3");
        assertThat(result.status()).isZero();
    }

    @Test
    @Tag("deep")
    void coroutineThatDoesNotEndAfterAnError_isNamedToo() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() {
                spawn(() -> { while (true) try { Thread.sleep(60_000); } catch (InterruptedException e) { } });
                suspend();
                throw new IllegalStateException("for once");
            }
            """, "--shutdown-timeout", "0.3");
        assertThat(result.err())
                .containsOnlyOnce("IllegalStateException: for once")
                .contains("abandoned", "Server.java:3");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    @Tag("deep")
    void exitInFinallyDuringASignal_doesNotHoldTheEnd() throws Exception {
        Result result = run("""
            import static org.trueasync.Async.*;
            void main() throws Exception {
                spawn(() -> { try { delay(60_000); } finally { delay(50); IO.println("other closed"); } });
                suspend();
                %s
                try { delay(60_000); } finally { IO.println("exits"); System.exit(9); }
            }
            """.formatted(kill("TERM")), "--shutdown-timeout", "3600");
        // the signal came first: the JVM's first exit decides the status
        assertThat(result).isEqualTo(new Result(128 + 15, "exits\nother closed\n", ""));
    }

    private static String kill(String signal) {
        return "new ProcessBuilder(\"kill\", \"-" + signal
                + "\", Long.toString(ProcessHandle.current().pid())).start();";
    }

    private Result run(String source, String... options) throws Exception {
        LauncherProcess.write(directory, "Server.java", source);
        String[] all = new String[options.length + 2];
        all[0] = "run";
        System.arraycopy(options, 0, all, 1, options.length);
        all[all.length - 1] = "Server.java";
        return LauncherProcess.run(directory, all);
    }
}
