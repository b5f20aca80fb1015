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
    void libraryThatGoesOnWaiting_isNotInterrupted() {
        assertThat(waits(
                        "java.lang.Thread.sleep",
                        "java.util.concurrent.TimeUnit.sleep",
                        "com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly",
                        "com.google.common.util.concurrent.RateLimiter.acquire",
                        "app.Main.main"))
                .isFalse();
        assertThat(waits(
                        "java.lang.Object.wait",
                        "io.netty.util.concurrent.DefaultPromise.awaitUninterruptibly",
                        "app.Main.main"))
                .isFalse();
        assertThat(waits("java.lang.Object.wait", "io.netty.util.concurrent.DefaultPromise.await", "app.Main.main"))
                .isTrue();
    }

    @Test
    void libraryThatCallsOneThatGoesOnWaiting_isInterruptedInItsOwnWaits() {
        assertThat(waits(
                        "java.util.concurrent.CountDownLatch.await",
                        "app.Callback.run",
                        "com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly"))
                .isTrue();
    }

    @Test
    void wokenAlready_isNotInterrupted() {
        assertThat(isInterruptible(Thread.State.RUNNABLE, stack("java.util.concurrent.CountDownLatch.await")))
                .isFalse();
    }
}
