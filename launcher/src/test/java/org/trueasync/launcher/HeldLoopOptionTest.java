package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The command watches its loop unless told otherwise. */
@Tag("deep")
@Tag("E42")
class HeldLoopOptionTest {
    @TempDir
    Path directory;

    @BeforeEach
    void write() throws Exception {
        // as much work as takes a second and more: time that the processor gave to others does not count
        LauncherProcess.write(directory, "Busy.java", """
                import static org.trueasync.Async.*;
                void main() {
                    await(spawn(() -> {
                        long sum = 0;
                        for (long i = 0; i < 3_000_000_000L; i++) sum ^= i * i;
                        if (sum == 42) IO.println("by chance");
                    }));
                    IO.println("done");
                }
                """);
    }

    @Test
    void heldLoop_isReportedOnStandardError() throws Exception {
        Result result = LauncherProcess.runWatched(directory, "run", "Busy.java");
        assertThat(result.status()).isZero();
        assertThat(result.out()).isEqualTo("done\n");
        assertThat(result.err())
                .startsWith("Loop 'main' is held by coroutine #")
                .contains(
                        " spawned Busy.java:3", "Busy.java:5", "Way out: put Async.blocking(...) around what computes")
                .doesNotContain("org.trueasync.launcher", "org.trueasync.internal");
    }

    @Test
    void off_reportsNothing() throws Exception {
        assertThat(LauncherProcess.run(directory, "run", "--held-loop-after", "off", "Busy.java"))
                .isEqualTo(new Result(0, "done\n", ""));
    }
}
