package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * Errors that nobody has taken so far are watched, as all lost handles of the process are. A coroutine that had to wait
 * for others there would be parked in the middle of its end, or of completing a future, and whoever runs meanwhile may
 * take the error.
 */
@Tag("deep")
class ErrorsUnderContentionTest {
    private volatile boolean over;
    private final Thread others = Thread.ofPlatform().unstarted(() -> {
        while (!over) Handles.whenUnreachable(new Object(), () -> {}).clean();
    });

    @BeforeEach
    void othersWatchHandlesToo() {
        others.start();
    }

    @AfterEach
    void nobodyDoes() throws InterruptedException {
        over = true;
        others.join();
    }

    private static void fails() {
        throw new IllegalStateException("as planned");
    }

    private static void assertFails(Completable<?> one) {
        try {
            Async.await(one);
            throw new AssertionError("has not failed");
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("as planned");
        }
    }

    @Test
    @Tag("K44")
    void errorOfACoroutine_isTakenWhileItIsBeingNoted() {
        for (int run = 0; run < 200; run++) {
            TestRuntime.run(() -> {
                for (int i = 0; i < 50; i++) {
                    Coroutine<?> first = Async.spawn(ErrorsUnderContentionTest::fails);
                    Coroutine<?> second = Async.spawn(ErrorsUnderContentionTest::fails);
                    assertFails(first);
                    assertFails(second);
                }
            });
        }
    }

    @Test
    @Tag("A34")
    void errorOfAFuture_isTakenWhileItIsBeingNoted() {
        for (int run = 0; run < 2_000; run++) {
            TestRuntime done = TestRuntime.run(() -> {
                var promise = new FutureState<Integer>();
                Coroutine<?> completer = Async.spawn(() -> promise.error(new IllegalStateException("as planned")));
                while (!promise.future().isCompleted()) Async.suspend();
                assertFails(promise.future());
                Async.await(completer);
            });
            assertThat(done.reports()).isEmpty();
        }
    }
}
