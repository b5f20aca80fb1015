package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** Errors that resist being reported: the command reports what can be had, and ends with its status all the same. */
@Tag("deep")
class ErrorReportTest {
    @TempDir
    Path directory;

    @Test
    void errorWhoseMessageFails_isReportedByItsClass() throws Exception {
        Result result = run(List.of(), """
                static class Mute extends RuntimeException {
                    @Override public String getMessage() { throw new IllegalStateException("no message"); }
                }
                void main() {
                    throw new Mute();
                }
                """);
        assertThat(result.err())
                .contains("Program$Mute", "at Program.main(Program.java:5)")
                .doesNotContain("Exception in thread");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    @Tag("D16")
    @Tag("K46")
    void timeoutThatMainDoesNotCatch_isAnErrorThatNamesTheLine() throws Exception {
        Result result = run(List.of(), """
                import static org.trueasync.Async.*;
                void main() {
                    var slow = spawn(() -> { try { delay(60_000); } finally { IO.println("cancelled"); } });
                    await(slow, timeout(20));
                }
                """);
        assertThat(result.err())
                .contains(
                        "Unhandled org.trueasync.OperationCanceledException",
                        "timeout 20 ms",
                        "at Program.main(Program.java:4)");
        assertThat(result.out()).isEqualTo("cancelled" + System.lineSeparator());
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    @Tag("D16")
    void failureThatNobodyAwaits_isToldBeforeTheProgramEnds() throws Exception {
        Result result = run(List.of(), """
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> { throw new IllegalStateException("bug in a handler"); });
                    delay(1_500);
                    System.err.println("still serving");
                }
                """);
        assertThat(result.err())
                .containsSubsequence(
                        "Failed, and nobody awaits it, in coroutine #",
                        "spawned at Program.java:3",
                        "bug in a handler",
                        "still serving",
                        "Unhandled java.lang.IllegalStateException: bug in a handler",
                        "told of when it failed");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void circleOfCauses_isReported() throws Exception {
        Result result = run(List.of(), """
                void main() {
                    var a = new RuntimeException("a");
                    a.initCause(new RuntimeException("b", a));
                    throw a;
                }
                """);
        assertThat(result.err()).contains("RuntimeException: a", "Caused by: java.lang.RuntimeException: b");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void memoryFullToTheLastByte_isReported() throws Exception {
        Result result = run(List.of("-Xmx32m", "-XX:+UseSerialGC"), """
                static Object held;
                void main() {
                    for (int size = 1 << 20; size >= 1; size /= 2) {
                        try {
                            while (true) held = new Object[] {held, new byte[size]};
                        } catch (OutOfMemoryError e) {
                            // smaller pieces still fit
                        }
                    }
                    held = new Object[] {held, new byte[1 << 20]};
                }
                """);
        assertThat(result.err())
                .contains("java.lang.OutOfMemoryError: Java heap space")
                .doesNotContain("Exception in thread", "UncaughtExceptionHandler");
        assertThat(result.status()).isEqualTo(1);
    }

    private Result run(List<String> flags, String source) throws Exception {
        LauncherProcess.write(directory, "Program.java", source);
        List<String> all = LauncherProcess.flagsAnd(flags.toArray(String[]::new));
        return LauncherProcess.run(directory, all, "run", "Program.java");
    }
}
