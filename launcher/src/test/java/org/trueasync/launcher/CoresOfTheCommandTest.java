package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** A program on several cores is one process: one status, one report, and each coroutine has its end. */
@Tag("deep")
class CoresOfTheCommandTest {
    @TempDir
    Path directory;

    /**
     * Two coroutines wait on each of three cores; when all do, core 1 does something. Each wait is closed in a
     * {@code finally} that waits.
     */
    private static final String PROGRAM = """
        import static org.trueasync.Async.*;
        import java.util.concurrent.atomic.AtomicInteger;
        import org.trueasync.*;
        static final AtomicInteger waiting = new AtomicInteger();
        void main() {
            Cores.builder().count(3).run(() -> {
                launch(() -> hold());
                if (Cores.current().index() == 1) launch(() -> {
                    while (waiting.get() < 6) delay(1);
                    %s
                });
                hold();
            });
        }
        void hold() {
            try {
                waiting.incrementAndGet();
                delay(60_000);
            } finally {
                delay(5);
                IO.println("closed on core " + Cores.current().index());
            }
        }
        """;

    private static final String CLOSED =
            "closed on core 0\nclosed on core 0\nclosed on core 1\nclosed on core 1\nclosed on core 2\nclosed on core 2\n";

    private Result run(String action) throws Exception {
        LauncherProcess.write(directory, "Program.java", PROGRAM.formatted(action));
        Result result = LauncherProcess.run(directory, "run", "Program.java");
        String sorted = result.out().lines().sorted().map(line -> line + "\n").reduce("", String::concat);
        return new Result(result.status(), sorted, result.err());
    }

    @Test
    void signal_letsEveryCoroutineOnEachCoreFinish() throws Exception {
        assertThat(run("new ProcessBuilder(\"kill\", \"-TERM\", \"\" + ProcessHandle.current().pid()).start();"))
                .isEqualTo(new Result(128 + 15, CLOSED, ""));
    }

    @Test
    void systemExitOnAnotherCore_letsEveryCoroutineOnEachCoreFinish() throws Exception {
        assertThat(run("System.exit(3);")).isEqualTo(new Result(3, CLOSED, ""));
    }

    @Test
    void errorOnAnotherCore_isReportedOnceWithItsPlace() throws Exception {
        Result result = run("throw new IllegalStateException(\"broken\");");
        assertThat(result.out()).isEqualTo(CLOSED);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .containsOnlyOnce("broken")
                .containsOnlyOnce("spawned at Program.java:8")
                .contains("at Program.lambda");
    }
}
