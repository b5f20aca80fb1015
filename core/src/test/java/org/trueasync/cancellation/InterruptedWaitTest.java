package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;

/**
 * What an interrupt is to a coroutine that waits in JDK code: that of a request, of a section's limit, of somebody
 * else. On virtual time.
 */
class InterruptedWaitTest {
    private final AsyncCancellation one = new AsyncCancellation("one");
    private final AsyncCancellation two = new AsyncCancellation("two");
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final ArrayList<String> log = new ArrayList<>();

    /** Waits until it is interrupted. */
    private void waitsInJdkCode() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            log.add("interrupted");
        }
    }

    /** As Guava's uninterruptible waits: it waits to the end, and sets the status then. */
    private void waitsToTheEnd(CountDownLatch latch) {
        waitsToTheEnd(latch, () -> {});
    }

    private void waitsToTheEnd(CountDownLatch latch, Runnable onInterrupt) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                onInterrupt.run();
            }
        }
        log.add("waited to the end");
        if (interrupted) Thread.currentThread().interrupt();
    }

    // ---- a request

    @Test
    @Tag("D14")
    void requestWhileTheInterruptIsOnItsWay_changesNothing() {
        TestRuntime.run(() -> {
            Coroutine<String> c = spawn(() -> {
                waitsInJdkCode();
                delay(5);
                suspend();
                return "went on";
            });
            suspend();
            c.cancel(one);
            c.cancel(two);
            assertThat(Async.<String>await(c)).isEqualTo("went on");
        });
        assertThat(log).containsExactly("interrupted");
    }

    @Test
    @Tag("D14")
    void requestAfterTheInterruptHasArrived_isAnotherOne() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                waitsInJdkCode();
                assertThatThrownBy(() -> delay(1_000)).isSameAs(two);
                log.add("two");
                suspend();
            });
            suspend();
            c.cancel(one);
            delay(5);
            c.cancel(two);
            await(c);
        });
        assertThat(log).containsExactly("interrupted", "two");
    }

    @Test
    @Tag("D13")
    void interruptThatIsPutOff_isThrownAtTheNextWaitOfOursAndOnce() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Coroutine<String> c = spawn(() -> {
                waitsToTheEnd(latch);
                assertThatThrownBy(() -> delay(1_000)).isSameAs(one);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                delay(1);
                return "went on";
            });
            suspend();
            c.cancel(one);
            delay(5);
            latch.countDown();
            assertThat(Async.<String>await(c)).isEqualTo("went on");
        });
        assertThat(log).containsExactly("waited to the end");
    }

    /** What ends the second wait comes before anything can look at that wait. */
    @Test
    @Tag("D13")
    void interruptThatIsPutOffByAWaitThatIsOverAtOnce_isThrownAtTheNextWaitOfOurs() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Coroutine<String> c = spawn(() -> {
                waitsToTheEnd(latch, () -> Microtask.of(latch::countDown).enqueue());
                assertThatThrownBy(() -> delay(1_000)).isSameAs(one);
                return "went on";
            });
            suspend();
            c.cancel(one);
            assertThat(Async.<String>await(c)).isEqualTo("went on");
        });
        assertThat(log).containsExactly("waited to the end");
    }

    @Test
    @Tag("D13")
    void interruptThatIsPutOff_isThrownAfterTheProtectedSection() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Coroutine<?> c = spawn(() -> {
                waitsToTheEnd(latch);
                SchedulerProvider.get().shield(() -> {
                    delay(1);
                    return null;
                });
                log.add("protected");
                delay(1_000);
            });
            suspend();
            c.cancel(one);
            delay(5);
            latch.countDown();
            assertThatThrownBy(() -> await(c)).isSameAs(one);
        });
        assertThat(log).containsExactly("waited to the end", "protected");
    }

    /** A status that library code has set for a reason of its own is no request that was put off. */
    @Test
    @Tag("D14")
    void interruptThatWasTaken_isNotThrownAgain() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                waitsInJdkCode();
                Thread.currentThread().interrupt();
                delay(1);
                assertThat(Thread.interrupted()).isTrue();
                log.add("went on");
            });
            suspend();
            c.cancel(one);
            await(c);
        });
        assertThat(log).containsExactly("interrupted", "went on");
    }

    @Test
    @Tag("D13")
    @Tag("C3")
    void whatItWaitsForComesAfterTheInterruptAndBeforeItRan_isNotLost() {
        TestRuntime.run(() -> {
            var queue = new LinkedBlockingQueue<String>();
            Coroutine<?> c = spawn(() -> {
                log.add(queue.take());
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                delay(1_000);
            });
            suspend();
            c.cancel(one);
            queue.add("item");
            assertThatThrownBy(() -> await(c)).isSameAs(one);
            assertThat(queue).isEmpty();
        });
        assertThat(log).containsExactly("item");
    }

    @Test
    @Tag("D27")
    void errorThatNamesAnInterrupt_isCancelledQuietly() {
        for (Exception error : new Exception[] {
            new InterruptedIOException("as streams do"),
            new FileLockInterruptionException(),
            new ClosedByInterruptException(),
            new IllegalStateException(new InterruptedException("wrapped")),
            new IllegalStateException(new AsyncCancellation("of another wait")),
        }) {
            TestRuntime ended = TestRuntime.run(() -> {
                Coroutine<?> c = spawn(() -> throwsAfterTheInterrupt(error));
                suspend();
                c.cancel(one);
                assertThatThrownBy(() -> await(c)).isSameAs(one);
            });
            assertThat(ended.reports()).as(error.toString()).isEmpty();
        }
    }

    @Test
    @Tag("D27")
    void errorThatNamesNoInterrupt_isAttachedAndReportedOnce() {
        for (Throwable error : new Throwable[] {
            new IllegalStateException("gave up"),
            new AssertionError("gave up"),
            new SocketTimeoutException("gave up"),
            new SocketException("gave up"), // the interrupted wait was no socket's
        }) {
            var reason = new AsyncCancellation("given reason");
            TestRuntime ended = TestRuntime.run(() -> {
                Coroutine<?> c = spawn(() -> throwsAfterTheInterrupt(error));
                suspend();
                c.cancel(reason);
                assertThatThrownBy(() -> await(c)).isSameAs(reason);
            });
            assertThat(reason.getSuppressed()).containsExactly(error);
            assertThat(ended.reports())
                    .singleElement()
                    .asString()
                    .contains("it has ended as cancelled", error.getClass().getName() + ": gave up");
        }
    }

    /** After it nothing can be relied on, so nobody may take it for a mere cancellation. */
    @Test
    @Tag("D27")
    void errorOfTheJvms_isTheOutcome() {
        var error = new StackOverflowError();
        assertThatThrownBy(() -> TestRuntime.run(() -> {
                    Coroutine<?> c = spawn(() -> throwsAfterTheInterrupt(error));
                    suspend();
                    c.cancel(one);
                    await(c);
                }))
                .isSameAs(error)
                .hasCause(one);
    }

    private static void throwsAfterTheInterrupt(Throwable error) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw Throwing.sneaky(error);
        }
    }

    /** The first wait after the interrupt tells whether it was put off; no later one does. */
    @Test
    @Tag("D14")
    void sameWaitLaterOn_isNotTakenForOneThatPutTheInterruptOff() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Coroutine<String> c = spawn(() -> {
                for (int i = 0; i < 2; i++) {
                    try {
                        latch.await();
                        log.add("over");
                    } catch (InterruptedException e) {
                        log.add("interrupted");
                        delay(1);
                    }
                }
                Thread.currentThread().interrupt();
                delay(1);
                assertThat(Thread.interrupted()).isTrue();
                return "went on";
            });
            suspend();
            c.cancel(one);
            while (log.isEmpty()) suspend();
            while (Async.runtimeStats().blocked() == 0) delay(1);
            latch.countDown();
            assertThat(Async.<String>await(c)).isEqualTo("went on");
        });
        assertThat(log).containsExactly("interrupted", "over");
    }

    // ---- the limit of a section

    @Test
    @Tag("D14")
    void limitInAWaitOfTheJdks_endsTheSectionAndLeavesNothing() {
        TestRuntime.run(() -> {
            for (Body wait : new Body[] {
                () -> new CountDownLatch(1).await(),
                () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException(e);
                    }
                },
            }) {
                assertThatThrownBy(() -> withTimeout(LIMIT, wait::run))
                        .isInstanceOf(AsyncTimeoutException.class)
                        .hasRootCauseInstanceOf(InterruptedException.class);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                delay(100);
            }
        });
    }

    @Test
    @Tag("D13")
    void itemThatComesAfterTheInterruptOfTheLimit_isNotLostAndTheLimitIsThrownNext() {
        TestRuntime.run(() -> {
            var queue = new LinkedBlockingQueue<String>();
            Coroutine<?> c = spawn(() -> withTimeout(LIMIT, () -> {
                log.add(queue.take());
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                assertThatThrownBy(() -> delay(1_000)).isInstanceOf(AsyncCancellation.class);
                suspend();
                log.add("thrown once");
            }));
            delay(50);
            queue.add("item");
            await(c);
        });
        assertThat(log).containsExactly("item", "thrown once");
    }

    @Test
    @Tag("D13")
    void requestWhileTheInterruptOfALimitIsOnItsWay_isNotLost() {
        TestRuntime.run(() -> {
            for (boolean before : new boolean[] {true, false}) {
                Coroutine<?>[] c = new Coroutine<?>[1];
                Body cancels = () -> {
                    delay(50);
                    c[0].cancel(one);
                };
                if (before) spawn(cancels);
                c[0] = spawn(() -> withTimeout(LIMIT, () -> {
                    waitsInJdkCode();
                    delay(1_000);
                }));
                if (!before) spawn(cancels);
                Coroutine<?> cancelled = c[0];
                assertThatThrownBy(() -> await(cancelled)).isSameAs(one);
            }
        });
        assertThat(log).containsOnly("interrupted");
    }

    // ---- somebody else's

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("D21")
    void interruptOfAWaitThatPaysNoAttention_isThrownAtTheWaitAfterIt(boolean hasWaitedBefore) {
        var lock = new ReentrantLock();
        TestRuntime.run(() -> {
            lock.lock();
            var thread = new Thread[1];
            Coroutine<?> c = spawn(() -> {
                thread[0] = Thread.currentThread();
                if (hasWaitedBefore) suspend();
                lock.lock();
                log.add("locked");
                assertThatThrownBy(() -> delay(1_000))
                        .isInstanceOf(AsyncCancellation.class)
                        .asString()
                        .startsWith(AsyncCancellation.class.getName() + ": interrupted: ")
                        .contains("Thread.interrupt()");
                lock.unlock();
                delay(1);
            });
            suspend();
            suspend();
            thread[0].interrupt();
            delay(1);
            lock.unlock();
            await(c);
        });
        assertThat(log).containsExactly("locked");
    }

    @Test
    @Tag("D21")
    void interruptInsideOfAProtectedSection_isThrownAtTheWaitAfterIt() {
        TestRuntime.run(() -> {
            var thread = new Thread[1];
            Coroutine<?> c = spawn(() -> {
                thread[0] = Thread.currentThread();
                Async.protect(() -> {
                    delay(5);
                    delay(5);
                });
                log.add("protected");
                assertThatThrownBy(() -> delay(1_000)).isInstanceOf(AsyncCancellation.class);
                delay(1);
            });
            delay(1);
            thread[0].interrupt();
            await(c);
        });
        assertThat(log).containsExactly("protected");
    }

    @Test
    @Tag("D21")
    void interruptOfACoroutineThatWantsAMonitor_isThrownAtTheWaitAfterIt() {
        var monitor = new Object();
        TestRuntime.run(() -> {
            var thread = new Thread[1];
            Coroutine<?> c = spawn(() -> {
                thread[0] = Thread.currentThread();
                suspend();
                suspend();
                synchronized (monitor) {
                    log.add("entered");
                }
                assertThatThrownBy(() -> delay(1_000)).isInstanceOf(AsyncCancellation.class);
                delay(1);
            });
            suspend();
            synchronized (monitor) {
                suspend();
                suspend();
                thread[0].interrupt();
                delay(1);
            }
            await(c);
        });
        assertThat(log).containsExactly("entered");
    }

    @Test
    @Tag("D21")
    void interruptThatEndedAWaitOfTheJdks_isNotThrownAgain() {
        TestRuntime.run(() -> {
            var thread = new Thread[1];
            Coroutine<?> c = spawn(() -> {
                thread[0] = Thread.currentThread();
                suspend();
                waitsInJdkCode();
                Thread.currentThread().interrupt(); // as library code does
                delay(1);
                assertThat(Thread.interrupted()).isTrue();
                log.add("went on");
            });
            suspend();
            suspend();
            Thread other = Thread.ofPlatform().start(thread[0]::interrupt);
            while (other.isAlive()) Thread.onSpinWait();
            await(c);
            assertThat(c.isCancellationRequested()).isFalse();
        });
        assertThat(log).containsExactly("interrupted", "went on");
    }
}
