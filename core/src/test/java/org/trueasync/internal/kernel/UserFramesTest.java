package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.testkit.TestRuntime;

/** The frames of user code, which are read without the others. */
class UserFramesTest {
    private static void nested(int depth, Body wait) {
        if (depth > 0) List.of(depth).forEach(one -> nested(one - 1, wait));
        else
            try {
                wait.run();
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
    }

    private static void compare(int depth, Body wait) {
        TestRuntime.run(() -> {
            Coroutine<?> waiting = spawn(() -> nested(depth, wait));
            suspend();
            assertThat(Inspection.userFrames(waiting))
                    .hasSizeGreaterThan(2 * depth)
                    .isEqualTo(Arrays.stream(waiting.trace())
                            .filter(CodeSites::isUserCode)
                            .toList());
            waiting.cancel();
        });
    }

    @Test
    void framesOfACoroutineThatWaits_areThoseOfItsTrace() {
        compare(0, () -> delay(10_000));
        compare(100, () -> delay(10_000));
    }

    @Test
    void framesOfACoroutineInJdkCode_areThoseOfItsTrace() {
        compare(3, () -> Thread.sleep(10_000));
    }

    @Test
    void coroutineThatIsNotSuspended_hasNone() {
        TestRuntime.run(() -> {
            assertThat(Inspection.userFrames(spawn(() -> {}))).as("not begun").isEmpty();
            assertThat(Inspection.userFrames(currentCoroutine())).as("running").isEmpty();
        });
    }
}
