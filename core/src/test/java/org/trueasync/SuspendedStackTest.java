package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * How many frames of ours are on the stack of a suspended coroutine: each switch copies some, each coroutine keeps them
 * all, and whoever reads a trace has to look past them. The bounds only fall. Reads of streams:
 * {@code TcpStreamConformance}.
 */
class SuspendedStackTest {
    /** Without those of the test itself. */
    private static List<StackTraceElement> own(Coroutine<?> suspended) {
        return Arrays.stream(Objects.requireNonNull(suspended.trace()))
                .filter(frame -> frame.getClassName().startsWith("org.trueasync.")
                        && !frame.getClassName().startsWith(SuspendedStackTest.class.getName()))
                .toList();
    }

    private static void assertOwnFrames(int atMost, Body waits) {
        TestRuntime.run(() -> {
            Coroutine<?> suspended = spawn(waits);
            suspend();
            assertThat(own(suspended)).hasSizeLessThanOrEqualTo(atMost);
            suspended.cancel();
        });
    }

    @Test
    void await_hasElevenFrames() {
        assertOwnFrames(11, () -> await(spawn(() -> delay(1))));
    }

    @Test
    void delay_hasNineFrames() {
        assertOwnFrames(9, () -> delay(1));
    }

    @Test
    void send_hasElevenFrames() {
        assertOwnFrames(11, () -> new Channel<String>().send("a"));
    }

    @Test
    void receive_hasTwelveFrames() {
        assertOwnFrames(12, () -> new Channel<String>().receive());
    }

    @Test
    void acquire_hasElevenFrames() {
        assertOwnFrames(11, () -> {
            var permits = new Semaphore(1);
            permits.acquire();
            permits.acquire();
        });
    }

    @Test
    void suspend_hasNineFrames() {
        TestRuntime.run(() -> {
            Coroutine<?> suspended = spawn(() -> {
                suspend();
            });
            spawn(() -> assertThat(own(suspended)).hasSizeLessThanOrEqualTo(9));
        });
    }

    @Test
    void tasksOfBothShapes_areCalledWithoutAnAdapter() {
        TestRuntime.run(() -> {
            Callable<String> callable = () -> waited();
            Body body = () -> waited();
            List<Coroutine<?>> all = List.of(spawn(callable), spawn(body));
            suspend();
            assertThat(all).allSatisfy(c -> assertThat(own(c)).hasSizeLessThanOrEqualTo(9));
        });
    }

    private static String waited() {
        delay(1);
        return "";
    }
}
