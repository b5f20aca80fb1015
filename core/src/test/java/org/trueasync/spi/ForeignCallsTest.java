package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

class ForeignCallsTest {
    private static final AsyncCancellation REASON = new AsyncCancellation("given reason");

    /** What a driver does: waits in its own way until it is told to give up, or has its answer. */
    private static final class Driver implements ForeignCall {
        final Semaphore answers = new Semaphore(0);
        int told;
        boolean gaveUp;
        boolean helps = true;

        @Override
        public void cancelled() {
            told++;
            gaveUp = helps;
            if (helps) answers.release();
        }

        String ask() throws IOException {
            answers.acquireUninterruptibly();
            if (gaveUp) throw new IOException("gave up");
            return "answer";
        }

        <T> T call(Callable<T> question) throws Exception {
            ForeignCalls.begin(this);
            T value = null;
            Throwable thrown = null;
            try {
                value = question.call();
            } catch (Throwable e) {
                thrown = e;
            }
            thrown = ForeignCalls.end(thrown);
            if (thrown instanceof Error error) throw error;
            if (thrown != null) throw (Exception) thrown;
            return value;
        }

        String ask(ArrayList<String> log) {
            try {
                return call(this::ask);
            } catch (AsyncCancellation e) {
                assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(IOException.class);
                log.add("cancelled");
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void shieldedWhileACancellationIsDue_isDoneAndToldAndTheNextWaitThrows() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var driver = new Driver();
            driver.helps = false;
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                ForeignCalls.beginShielded(driver);
                driver.answers.acquireUninterruptibly();
                assertThat(ForeignCalls.end(null)).isNull();
                log.add("done");
                assertThatThrownBy(() -> ForeignCalls.begin(driver)).isSameAs(REASON);
                suspend();
                log.add("thrown once");
            });
            while (driver.told == 0) suspend();
            driver.answers.release();
            await(c);
            assertThat(driver.told).isEqualTo(1);
        });
        assertThat(log).containsExactly("done", "thrown once");
    }

    @Test
    void endedWithoutABegin_refused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> ForeignCalls.end(null)).isInstanceOf(IllegalStateException.class);
            var driver = new Driver();
            ForeignCalls.begin(driver);
            ForeignCalls.end(null);
            assertThatThrownBy(() -> ForeignCalls.end(null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without a begin");
        });
    }

    @Test
    void shieldedAndOverAtOnce_isNotTold() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                ForeignCalls.beginShielded(driver);
                assertThat(ForeignCalls.end(null)).isNull();
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
                delay(1);
            });
            await(c);
            assertThat(driver.told).isZero();
        });
    }

    @Test
    void shieldedAndFailed_failsAsItDoesAndTheNextWaitThrows() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            var failure = new IOException("lost");
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                ForeignCalls.beginShielded(driver);
                assertThat(ForeignCalls.end(failure)).isSameAs(failure);
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
            });
            await(c);
        });
    }

    @Test
    void failureOfAShieldedCallThatNobodyCatches_endsTheCoroutineAsCancelled() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            var failure = new IOException("lost");
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                ForeignCalls.beginShielded(driver);
                throw (IOException) ForeignCalls.end(failure);
            });
            assertThatThrownBy(() -> await(c)).isSameAs(REASON).hasSuppressedException(failure);
            assertThat(c.isCancelled()).isTrue();
        });
    }

    @Test
    void secondRequestAndAWrappedFailureAmongOthers_endsTheCoroutineAsCancelled() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
                Async.currentCoroutine().cancel("once more");
                var failure = new IOException("rollback");
                try {
                    assertThat(ForeignCalls.beginShielded(driver)).isTrue();
                    throw (IOException) ForeignCalls.end(failure);
                } finally {
                    ForeignCalls.beginShielded(driver);
                    failure.addSuppressed(ForeignCalls.end(new IOException("close")));
                }
            });
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            Coroutine<?> wrapped = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                ForeignCalls.beginShielded(driver);
                throw new IllegalStateException("as libraries do", ForeignCalls.end(new IOException("lost")));
            });
            assertThatThrownBy(() -> await(wrapped)).isSameAs(REASON);
        });
    }

    @Test
    void failureOfAShieldedCallWhenNothingWasDue_isTheCoroutines() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                ForeignCalls.beginShielded(driver);
                throw (IOException) ForeignCalls.end(new IOException("lost"));
            });
            assertThatThrownBy(() -> await(c)).hasRootCauseInstanceOf(IOException.class);
        });
    }

    @Test
    void failureOfAShieldedCallAfterTheSectionsTime_isTheSectionsTimeout() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            var failure = new IOException("lost");
            assertThatThrownBy(() -> Async.withTimeout(Duration.ofMillis(10), () -> {
                        protect(() -> delay(20));
                        ForeignCalls.beginShielded(driver);
                        throw (IOException) ForeignCalls.end(failure);
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
        });
    }

    @Test
    void shielded_theInterruptStatusIsAsBeforeAndNothingInItIsInterrupted() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Thread.currentThread().interrupt();
            ForeignCalls.beginShielded(driver);
            boolean in = Thread.currentThread().isInterrupted();
            ForeignCalls.end(null);
            boolean after = Thread.interrupted();
            assertThat(in).isFalse();
            assertThat(after).isTrue();
        });
    }

    @Test
    void shieldedInAProtectedSectionWhileTheRunIsShutDown_isTold() {
        var driver = new Driver();
        var run = new TestRuntime();
        run.call(() -> {
            protect(() -> {
                Async.gracefulShutdown();
                ForeignCalls.beginShielded(driver);
                driver.answers.acquireUninterruptibly();
                ForeignCalls.end(null);
            });
            return null;
        });
        assertThat(run.reactor().now()).as("at once, not at the deadline").isZero();
        assertThat(driver.told).isEqualTo(1);
    }

    @Test
    void shieldedCancelledMeanwhile_isTold() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                ForeignCalls.beginShielded(driver);
                driver.answers.acquireUninterruptibly();
                assertThat(ForeignCalls.end(null)).isNull();
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
            });
            suspend();
            c.cancel(REASON);
            await(c);
            assertThat(driver.told).isEqualTo(1);
        });
    }

    @Test
    void shieldedWhileASectionsTimeIsOver_isToldAndTheSectionEnds() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            assertThatThrownBy(() -> Async.withTimeout(Duration.ofMillis(10), () -> {
                        // nothing that waits in between notices
                        protect(() -> delay(20));
                        ForeignCalls.beginShielded(driver);
                        driver.answers.acquireUninterruptibly();
                        assertThat(ForeignCalls.end(null)).isNull();
                        suspend();
                        throw new AssertionError("went on");
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(driver.told).isEqualTo(1);
        });
    }

    @Test
    void shieldedInAProtectedSection_isNotTold() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                Thread.interrupted();
                SchedulerProvider.get().shield(() -> {
                    ForeignCalls.beginShielded(driver);
                    delay(5);
                    return ForeignCalls.end(null);
                });
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
            });
            await(c);
            assertThat(driver.told).isZero();
        });
    }

    @Test
    void cancelled_theCallIsToldAndItsFailureIsThrownAsTheCancellation() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> driver.ask(log));
            suspend();
            c.cancel(REASON);
            c.cancel(new AsyncCancellation("second"));
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(driver.told).isEqualTo(1);
            assertThat(c.isCancelled()).isTrue();
        });
        assertThat(log).containsExactly("cancelled");
    }

    @Test
    void answeredJustBefore_theAnswerIsNotLostAndTheCancellationComesAtTheNextWait() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            driver.helps = false;
            Coroutine<String> c = spawn(() -> {
                String answer = driver.ask(new ArrayList<>());
                assertThatThrownBy(() -> delay(1)).isSameAs(REASON);
                return answer;
            });
            suspend();
            c.cancel(REASON);
            driver.answers.release();
            assertThat(Async.<String>await(c)).isEqualTo("answer");
        });
    }

    @Test
    void cancelledBefore_theCallDoesNotBegin() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                Async.currentCoroutine().cancel(REASON);
                assertThatThrownBy(() -> ForeignCalls.begin(driver)).isSameAs(REASON);
                driver.answers.release();
                return driver.call(driver::ask);
            });
            assertThat((Object) await(c)).isEqualTo("answer");
            assertThat(driver.told).isZero();
        });
    }

    @Test
    void insideOfAProtectedSection_theCallIsNotTold() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn(() -> {
                String answer = protect(() -> driver.ask(new ArrayList<>()));
                assertThat(answer).isEqualTo("answer");
                delay(1);
            });
            suspend();
            c.cancel(REASON);
            delay(5);
            assertThat(driver.told).isZero();
            driver.answers.release();
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }

    @Test
    void callInsideOfACall_theOuterOneIsTold() {
        TestRuntime.run(() -> {
            var outer = new Driver();
            var inner = new Driver();
            Coroutine<?> c = spawn(() -> outer.call(() -> {
                ForeignCalls.begin(inner);
                ForeignCalls.end(null);
                return outer.ask();
            }));
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(outer.told).isEqualTo(1);
            assertThat(inner.told).isZero();
        });
    }

    @Test
    void shutdown_asksFirst() {
        var driver = new Driver();
        TestRuntime.run(() -> {
            spawn(() -> driver.ask(new ArrayList<>()));
            suspend();
            Async.gracefulShutdown(REASON);
        });
        assertThat(driver.told).isEqualTo(1);
        assertThat(driver.gaveUp).isTrue();
    }

    @Test
    void shutdownThatIsNotHeard_interruptsAfterItsGrace() {
        var driver = new Driver();
        driver.helps = false;
        TestRuntime.run(() -> {
            spawn(() -> driver.call(() -> {
                new Semaphore(0).acquire();
                return null;
            }));
            suspend();
            Async.gracefulShutdown(REASON);
        });
        assertThat(driver.told).isEqualTo(1);
    }

    @Test
    void interrupt_endsTheCallButIsNoCancellation() {
        TestRuntime.run(() -> {
            var driver = new Driver();
            Coroutine<?> c = spawn((Body) () -> {
                assertThatThrownBy(() -> driver.call(() -> {
                            new Semaphore(0).acquire();
                            return null;
                        }))
                        .isInstanceOf(InterruptedException.class);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                delay(1);
            });
            suspend();
            ForeignCalls.interrupt(c);
            await(c);
            assertThat(c.isCancelled()).isFalse();
        });
    }

    @Test
    void outsideOfACoroutine_isRefused() {
        assertThatThrownBy(() -> ForeignCalls.begin(new Driver())).isInstanceOf(AsyncException.class);
    }
}
