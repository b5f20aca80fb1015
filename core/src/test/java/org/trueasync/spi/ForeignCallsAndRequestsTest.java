package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** Which request a call is told of, and what interrupts it. */
class ForeignCallsAndRequestsTest {
    private final AsyncCancellation reason = new AsyncCancellation("given reason");
    private static final Duration LIMIT = Duration.ofMillis(50);

    /** Waits in JDK code, and gives up when it is told to. */
    private static final class Query implements ForeignCall {
        final Semaphore answer = new Semaphore(0);
        int told;

        @Override
        public void cancelled() {
            told++;
            answer.release();
        }

        void run() throws Throwable {
            ForeignCalls.begin(this);
            Throwable failure = null;
            try {
                answer.acquire();
                if (told > 0) failure = new IOException("gave up");
            } catch (InterruptedException e) {
                failure = e;
            }
            end(failure);
        }
    }

    private static void end(@Nullable Throwable failure) throws Throwable {
        Throwable thrown = ForeignCalls.end(failure);
        if (thrown != null) throw thrown;
    }

    @Test
    void limitOfTheSection_isToldToItsCall() {
        TestRuntime.run(() -> {
            var query = new Query();
            assertThatThrownBy(() -> withTimeout(LIMIT, query::run)).isInstanceOf(AsyncTimeoutException.class);
            assertThat(query.told).isEqualTo(1);
            delay(1);
        });
    }

    @Test
    void limitAroundAProtectedSection_isNotToldToACallInThat() {
        TestRuntime.run(() -> {
            var query = new Query();
            spawn(() -> {
                delay(80);
                assertThat(query.told).isZero();
                query.answer.release();
            });
            withTimeout(LIMIT, () -> protect(query::run));
            assertThat(query.told).isZero();
        });
    }

    @Test
    void shutdownDuringACall_tellsItAndInterruptsNoneOfItsWaitsBeforeTheDeadline() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var query = new Query();
            var rolledBack = new Semaphore(0);
            spawn(() -> {
                ForeignCalls.begin(query);
                query.answer.acquire();
                log.add("told");
                rolledBack.acquire();
                log.add("rolled back");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                end(new IOException("gave up"));
            });
            spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(5);
                    rolledBack.release();
                }
            });
            suspend();
            gracefulShutdown(reason);
        });
        assertThat(log).containsExactly("told", "rolled back");
    }

    @Test
    void shutdownThatTheCallDoesNotHear_interruptsItAtTheDeadlineAndTheReasonIsThrown() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var never = new Semaphore(0);
            spawn(() -> {
                ForeignCalls.begin(() -> log.add("told"));
                Throwable failure = null;
                try {
                    never.acquire();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // as drivers do
                    failure = new IOException("interrupted");
                }
                Throwable thrown = ForeignCalls.end(failure);
                log.add("thrown " + thrown.getMessage() + " with " + thrown.getSuppressed()[0].getMessage());
                log.add("status " + Thread.currentThread().isInterrupted());
                throw (AsyncCancellation) thrown;
            });
            suspend();
            gracefulShutdown(reason);
        });
        assertThat(log).containsExactly("told", "thrown given reason with interrupted", "status false");
    }

    @Test
    void beginShielded_saysWhetherARequestIsDue() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                var outer = new Query();
                var inner = new Query();
                assertThat(ForeignCalls.beginShielded(outer)).isFalse();
                currentCoroutine().cancel(reason);
                assertThat(ForeignCalls.end(null)).isNull();
                assertThat(ForeignCalls.beginShielded(outer)).isTrue();
                assertThat(ForeignCalls.beginShielded(inner))
                        .as("what defers it now is the outer call")
                        .isFalse();
                assertThat(ForeignCalls.end(null)).isNull();
                assertThat(ForeignCalls.end(null)).isNull();
                assertThat(inner.told).isZero();
                suspend();
            });
            assertThatThrownBy(() -> await(c)).isSameAs(reason);
        });
    }

    @Test
    void shieldedInsideOfACallDuringAShutdown_onlyTheOuterOneIsToldAndOnce() {
        var outer = new Query();
        var inner = new Query();
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                ForeignCalls.begin(outer);
                outer.answer.acquire();
                log.add("due " + ForeignCalls.beginShielded(inner));
                assertThat(ForeignCalls.end(null)).isNull();
                end(new IOException("gave up"));
            });
            suspend();
            gracefulShutdown(reason);
        });
        assertThat(log).containsExactly("due true");
        assertThat(outer.told).isEqualTo(1);
        assertThat(inner.told).isZero();
    }

    // ---- shielded calls that have failed meanwhile

    /** Closes something, which fails, and goes on as if it had not. */
    private static void closesQuietly() {
        ForeignCalls.beginShielded(new Query());
        assertThat(ForeignCalls.end(new IOException("lost"))).hasMessage("lost");
    }

    @Test
    void otherErrorAfterAFailureWasSwallowed_isTheSections() {
        TestRuntime.run(() -> assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                    protect(() -> delay(80));
                    closesQuietly();
                    throw new IllegalStateException("unrelated");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("unrelated")
                .hasCauseInstanceOf(AsyncCancellation.class));
    }

    @Test
    void otherErrorAfterAFailureWasSwallowed_isTheCoroutines() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel(reason);
                closesQuietly();
                throw new IllegalStateException("unrelated");
            });
            assertThatThrownBy(() -> await(c)).hasMessage("unrelated").hasCause(reason);
            assertThat(c.isCancelled()).isFalse();
        });
    }

    /** The limit is between the two calls: it is the inner one that it ends. */
    @Test
    void callInsideOfASectionInsideOfACall_failsByTheLimitOfTheSection() {
        TestRuntime.run(() -> {
            ForeignCalls.begin(new Query());
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        ForeignCalls.begin(new Query());
                        protect(() -> delay(80));
                        Throwable thrown = ForeignCalls.end(new IOException("lost"));
                        assertThat(thrown).isInstanceOf(AsyncCancellation.class);
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(IOException.class);
                        throw (AsyncCancellation) thrown;
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(ForeignCalls.end(null)).isNull();
        });
    }
}
