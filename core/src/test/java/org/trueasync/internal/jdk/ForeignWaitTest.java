package org.trueasync.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.internal.jdk.ForeignWait.isInterruptible;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which waits an interrupt ends is told by their stacks. */
@Tag("D13")
class ForeignWaitTest {
    private static StackTraceElement[] stack(String... frames) {
        return Stream.of(frames)
                .map(f -> new StackTraceElement(
                        f.substring(0, f.lastIndexOf('.')), f.substring(f.lastIndexOf('.') + 1), "F.java", 1))
                .toArray(StackTraceElement[]::new);
    }

    private static boolean waits(String... frames) {
        return isInterruptible(Thread.State.WAITING, stack(frames));
    }

    @Test
    void waitOfTheJdksThatAnInterruptDoesNotEnd_isNotInterrupted() {
        assertThat(waits("java.util.concurrent.CompletableFuture.join", "app.Main.main"))
                .isFalse();
        assertThat(waits("java.util.concurrent.CompletableFuture.get", "app.Main.main"))
                .isTrue();
    }

    @Test
    void calledBackFromSuchAWait_isInterruptedInItsOwnWaits() {
        assertThat(waits(
                        "java.util.concurrent.CountDownLatch.await",
                        "app.Callback.run",
                        "java.util.concurrent.CompletableFuture.join"))
                .isTrue();
    }

    @Test
    void wokenAlready_isNotInterrupted() {
        assertThat(isInterruptible(Thread.State.RUNNABLE, stack("java.util.concurrent.CountDownLatch.await")))
                .isFalse();
    }
}
