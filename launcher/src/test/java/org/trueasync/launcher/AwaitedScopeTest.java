package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * A scope that is waited for is not lost, even if the program has no variable for it any more. Only compiled code lets
 * go of an object on which it has called a method that still runs, so {@code Scope} is compiled here from the
 * beginning; all else is interpreted.
 */
@Tag("deep")
@Tag("C22")
class AwaitedScopeTest {
    private static final String PROGRAM = """
        import static org.trueasync.Async.*;
        import org.trueasync.*;

        int rounds = 5;
        boolean ended;

        void main() {
            %s
        }

        Scope running() {
            var scope = new Scope();
            scope.spawn(() -> work());
            return scope;
        }

        void work() {
            try {
                for (int i = 0; i < rounds; i++) {
                    System.gc();
                    delay(30);
                }
                IO.println("worked");
            } finally {
                ended = true;
            }
        }
        """;

    @TempDir
    Path directory;

    private Result run(String body) throws Exception {
        List<String> flags = LauncherProcess.flagsAnd(
                "-XX:+UseSerialGC",
                "-Xcomp",
                "-XX:TieredStopAtLevel=1",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=compileonly,org.trueasync.Scope::*");
        LauncherProcess.write(directory, "Program.java", PROGRAM.formatted(body));
        return LauncherProcess.run(directory, flags, "run", "Program.java");
    }

    /** That the others don't succeed for another reason. */
    @Test
    void heldByNobody_isReportedAndDisposedOf() throws Exception {
        Result result = run("rounds = 1_000; running(); while (!ended) delay(10);");
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("Leak: a scope, created at Program.java:12, was lost without close()");
        assertThat(result.status()).isZero();
    }

    @Test
    void waitedFor_goesOn() throws Exception {
        assertThat(run("running().awaitCompletion();")).isEqualTo(new Result(0, "worked\n", ""));
        assertThat(run("running().awaitCompletion(timeout(20_000));")).isEqualTo(new Result(0, "worked\n", ""));
    }
}
