package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/**
 * Errors at the end of a run, and those whose coroutine nobody can ask any more: each is thrown by {@code run}, once.
 */
class LateErrorsTest {
    private static final IllegalStateException ERROR = new IllegalStateException("late");

    /** Waits again and again, whatever it is told. */
    private static void holdOut() {
        while (true) {
            try {
                delay(1_000);
            } catch (AsyncCancellation e) {
                // goes on
            }
        }
    }

    private static TestRuntime shortShutdown() {
        return new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(2)));
    }

    @Test
    @Tag("K44")
    @Tag("F51")
    void heldFailure_deadlineOfTheShutdownPasses_runThrowsIt() {
        Coroutine<?>[] held = new Coroutine<?>[1];
        Throwable thrown = shortShutdown().failure(() -> {
            held[0] = spawn(() -> {
                throw ERROR;
            });
            spawn(LateErrorsTest::holdOut);
            suspend();
            Async.gracefulShutdown();
        });
        assertThat(thrown).isSameAs(ERROR);
    }

    @Test
    @Tag("K63")
    void finallyThrowsAfterTheDeadline_runThrowsIt() {
        Coroutine<?>[] held = new Coroutine<?>[1];
        Throwable thrown = shortShutdown().failure(() -> {
            held[0] = spawn(() -> {
                try {
                    Async.protect(() -> {
                        try {
                            delay(100_000);
                        } finally {
                            delay(100_000);
                        }
                    });
                } finally {
                    throwIt(ERROR);
                }
            });
            suspend();
            Async.gracefulShutdown();
        });
        assertThat(thrown).isSameAs(ERROR);
    }

    private static void throwIt(RuntimeException error) {
        throw error;
    }

    @Test
    @Tag("K44")
    @Tag("K59")
    void heldFailureAndADeadlockThatSurvives_runThrowsTheDeadlockWithIt() {
        Coroutine<?>[] held = new Coroutine<?>[1];
        Throwable thrown = TestRuntime.failureOf(() -> {
            held[0] = spawn(() -> {
                throw ERROR;
            });
            suspend();
            for (int i = 0; i < 2; i++) {
                try {
                    waitForNothing();
                } catch (AsyncCancellation e) {
                    // waits for nothing once more
                }
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
        assertThat(everything(thrown)).contains(ERROR);
    }

    private static void waitForNothing() {
        Waker waker = Waker.current();
        waker.resumeWhen(new ManualEvent("door"), ResumeCallback.RESOLVE);
        waker.await();
    }

    private static List<Throwable> everything(Throwable thrown) {
        var all = new ArrayList<Throwable>();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            all.add(t);
            all.addAll(List.of(t.getSuppressed()));
        }
        return all;
    }

    @Test
    @Tag("K59")
    @Tag("K63")
    void coroutineAnswersTheDeadlockWithAnErrorOfItsOwn_deadlockStaysOutermost() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            try {
                waitForNothing();
            } catch (AsyncCancellation e) {
                throw new IllegalStateException("my own", e);
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
        assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).contains("my own");
    }

    // ---- handles that are gone

    @Test
    @Tag("K44")
    void handleGone_reportedWhileTheLoopIsBusy() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawnAndForgetTheHandle();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (System.nanoTime() < end) {
                Garbage.collect();
                suspend();
            }
            throw new AssertionError("was not told");
        });
        assertThat(thrown).isSameAs(ERROR);
    }

    private static void spawnAndForgetTheHandle() {
        spawn(() -> {
            throw ERROR;
        });
        suspend();
    }

    @Test
    @Tag("K44")
    void handleGone_wakesALoopThatWaits() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawnAndForgetTheHandle();
            var collector = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        System.gc();
                        Thread.sleep(20);
                    }
                } catch (InterruptedException e) {
                    // the test is over
                }
            });
            try {
                Async.await(new CompletableFuture<Void>());
            } finally {
                collector.interrupt();
            }
        });
        assertThat(thrown).isSameAs(ERROR);
    }

    @Tag("sized")
    @Test
    @Tag("K44")
    void manyHeldFailures_observedInAnyOrder_areNotReported() {
        TestRuntime.run(() -> {
            var held = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < Depth.of(10_000, 100_000); i++) {
                held.add(spawn(() -> {
                    throw ERROR;
                }));
            }
            suspend();
            for (Coroutine<?> coroutine : held.reversed())
                assertThat(coroutine.exception()).isSameAs(ERROR);
        });
    }
}
