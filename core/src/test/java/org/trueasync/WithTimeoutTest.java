package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Sections with a time limit. What they do in waits of the JDK is in {@code TimeLimitConformance}. */
class WithTimeoutTest {
    private static final Duration LIMIT = Duration.ofMillis(50);
    private final List<String> log = new ArrayList<>();

    private void waits(String name, long millis) {
        log.add(name + " begins");
        try {
            delay(millis);
            log.add(name + " ends");
        } catch (AsyncCancellation e) {
            log.add(name + " cancelled");
            throw e;
        }
    }

    /** The coroutine waits undisturbed, and nothing of the section is left. */
    private static void assertGoesOn() {
        assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        delay(100);
        suspend();
        assertThat(runtimeStats().timers()).isZero();
    }

    @Test
    void sectionInTime_bringsItsValueAndLeavesNothing() {
        TestRuntime.run(() -> {
            Coroutine<?> self = currentCoroutine();
            int number = withTimeout(LIMIT, () -> {
                assertThat(currentCoroutine()).as("it runs in the caller").isSameAs(self);
                delay(49);
                return 7;
            });
            assertThat(number).isEqualTo(7);
            withTimeout(LIMIT, () -> waits("void", 1));
            assertThat(withTimeout(LIMIT, () -> null) == null).isTrue();
            assertGoesOn();
        });
    }

    @Test
    void sectionThatIsTooSlow_isCancelledAwaitedAndNamed() {
        TestRuntime.run(runtime -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        try {
                            waits("section", 1_000);
                        } finally {
                            waits("clean-up", 20);
                        }
                    }))
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> {
                        assertThat(e.after()).isEqualTo(LIMIT);
                        assertThat(e)
                                .hasMessage("the section did not end within 50 ms; it was cancelled, and has ended");
                        assertThat(e.getCause())
                                .isInstanceOf(AsyncCancellation.class)
                                .hasMessageContaining("50 ms");
                        assertThat(e.getCause().getStackTrace())
                                .as("where the section waited")
                                .anyMatch(frame -> frame.getMethodName().equals("waits"));
                    });
            assertThat(log).containsExactly("section begins", "section cancelled", "clean-up begins", "clean-up ends");
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(70);
            assertGoesOn();
        });
    }

    @Test
    void sectionThatSwallows_hasSucceeded() {
        TestRuntime.run(() -> {
            String value = withTimeout(LIMIT, () -> {
                try {
                    delay(1_000);
                    return "late";
                } catch (AsyncCancellation e) {
                    delay(10);
                    return "instead";
                }
            });
            assertThat(value).isEqualTo("instead");
            assertGoesOn();
        });
    }

    @Test
    void sectionThatIsReadyBeforeItIsTold_losesNothing() {
        TestRuntime.run(runtime -> {
            // protected, so that the limit falls and is never delivered
            String value = withTimeout(
                    LIMIT,
                    () -> protect(() -> {
                        delay(80);
                        return "kept";
                    }));
            assertThat(value).isEqualTo("kept");
            assertGoesOn();
        });
    }

    @Test
    void sectionWithOneWaitMore_isCancelledThereAfterItsProtection() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        protect(() -> waits("protected", 80));
                        waits("next", 1_000);
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(log).containsExactly("protected begins", "protected ends", "next begins", "next cancelled");
            log.clear();
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        protect(() -> waits("protected", 80));
                        protect(() -> waits("not begun", 1));
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(log).containsExactly("protected begins", "protected ends");
            assertGoesOn();
        });
    }

    @Test
    void limitInsideOfProtect_holds() {
        TestRuntime.run(() -> {
            Coroutine<?> worker = spawn(() -> {
                protect(() -> {
                    assertThatThrownBy(() -> withTimeout(LIMIT, () -> waits("section", 1_000)))
                            .isInstanceOf(AsyncTimeoutException.class);
                    waits("rest", 10);
                });
                waits("after", 1_000);
            });
            delay(10);
            worker.cancel("from outside");
            assertThatThrownBy(worker::await)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("from outside");
            assertThat(log)
                    .as("the limit is the section's own, the cancellation waits")
                    .containsExactly(
                            "section begins",
                            "section cancelled",
                            "rest begins",
                            "rest ends",
                            "after begins",
                            "after cancelled");
        });
    }

    @Test
    void failureOfAProtectedSection_isAttachedToTheLimit() {
        TestRuntime.run(() -> {
            var broken = new IllegalStateException("broken");
            assertThatThrownBy(() -> withTimeout(
                            LIMIT,
                            () -> protect(() -> {
                                delay(80);
                                throw broken;
                            })))
                    .isInstanceOfSatisfying(
                            AsyncTimeoutException.class,
                            e -> assertThat(e.getCause().getSuppressed()).containsExactly(broken));
            assertGoesOn();
        });
    }

    @Test
    void errorOfTheSection_isTheSectionsAlsoAfterTheLimit() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        throw new IOException("in time");
                    }))
                    .isExactlyInstanceOf(IOException.class)
                    .hasNoCause();
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        try {
                            delay(1_000);
                        } finally {
                            throwIt(new IllegalStateException("clean-up"));
                        }
                    }))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("clean-up")
                    .hasCauseInstanceOf(AsyncCancellation.class);
        });
    }

    private static void throwIt(RuntimeException e) {
        throw e;
    }

    @Test
    void tokenInsideOfTheSection_isNoLimitOfTheSection() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> delay(1_000, timeout(10))))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertGoesOn();
        });
    }

    // ---- nested

    @Test
    void innerLimit_endsTheInnerSectionOnly() {
        TestRuntime.run(() -> {
            int value = withTimeout(LIMIT, () -> {
                assertThatThrownBy(() -> withTimeout(Duration.ofMillis(10), () -> waits("inner", 1_000)))
                        .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                                .isEqualTo(Duration.ofMillis(10)));
                waits("outer", 20);
                return 1;
            });
            assertThat(value).isEqualTo(1);
            assertThat(log).containsExactly("inner begins", "inner cancelled", "outer begins", "outer ends");
            assertGoesOn();
        });
    }

    @Test
    void outerLimit_endsBothAndIsTheOneThatIsNamed() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        try {
                            withTimeout(Duration.ofSeconds(9), () -> waits("inner", 20_000));
                        } catch (AsyncTimeoutException e) {
                            log.add("not the inner one's");
                        }
                    }))
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                            .isEqualTo(LIMIT));
            assertThat(log).containsExactly("inner begins", "inner cancelled");
            assertGoesOn();
        });
    }

    @Test
    void outerLimitDuringTheCleanUpOfTheInner_cutsItShort() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(
                            LIMIT,
                            () -> withTimeout(Duration.ofMillis(10), () -> {
                                try {
                                    waits("inner", 1_000);
                                } finally {
                                    waits("clean-up", 1_000);
                                }
                            })))
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                            .isEqualTo(LIMIT));
            assertThat(log).containsExactly("inner begins", "inner cancelled", "clean-up begins", "clean-up cancelled");
            assertGoesOn();
        });
    }

    @Test
    void equalLimits_endEachSectionOnce() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> withTimeout(LIMIT, () -> waits("inner", 1_000))))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(log).containsExactly("inner begins", "inner cancelled");
            assertGoesOn();
        });
    }

    // ---- with other cancellations

    @Test
    void cancellationBeforeTheLimit_isACancellation() {
        TestRuntime.run(() -> {
            Coroutine<?> worker = spawn(() -> {
                try {
                    withTimeout(LIMIT, () -> waits("section", 1_000));
                } catch (AsyncTimeoutException e) {
                    log.add("no timeout");
                }
            });
            delay(10);
            worker.cancel("outside");
            assertThatThrownBy(worker::await)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("outside");
            assertThat(worker.isCancelled()).isTrue();
            assertThat(log).containsExactly("section begins", "section cancelled");
        });
    }

    @Test
    void cancellationDuringTheCleanUp_isNotLost() {
        TestRuntime.run(() -> {
            Coroutine<?> worker = spawn(() -> {
                try {
                    withTimeout(LIMIT, () -> {
                        try {
                            waits("section", 1_000);
                        } finally {
                            waits("clean-up", 1_000);
                        }
                    });
                } finally {
                    log.add("requested " + currentCoroutine().isCancellationRequested());
                }
            });
            delay(80);
            worker.cancel("outside");
            assertThatThrownBy(worker::await)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("outside");
            assertThat(log)
                    .containsExactly(
                            "section begins",
                            "section cancelled",
                            "clean-up begins",
                            "clean-up cancelled",
                            "requested true");
        });
    }

    @Test
    @Tag("D13")
    void cancellationBetweenTheLimitAndItsTurn_endsTheCoroutineAsCancelled() {
        TestRuntime.run(() -> {
            for (boolean before : new boolean[] {true, false}) {
                Coroutine<?>[] worker = new Coroutine<?>[1];
                Body canceller = () -> {
                    delay(50);
                    worker[0].cancel("outside");
                };
                if (before) spawn(canceller);
                worker[0] = spawn(() -> withTimeout(LIMIT, () -> waits("section", 1_000)));
                if (!before) spawn(canceller);
                assertThatThrownBy(worker[0]::await)
                        .isInstanceOf(AsyncCancellation.class)
                        .hasMessage("outside");
                assertThat(worker[0].isCancelled()).isTrue();
            }
        });
    }

    @Test
    void cancellationInTheTickOfTheLimit_isNotLost() {
        TestRuntime.run(() -> {
            for (long at = 49; at <= 51; at++) {
                log.clear();
                Coroutine<?> worker = spawn(() -> {
                    try {
                        withTimeout(LIMIT, () -> waits("section", 1_000));
                    } catch (AsyncTimeoutException e) {
                        log.add("limit");
                    }
                    waits("after", 1_000);
                });
                delay(at);
                worker.cancel("outside");
                assertThatThrownBy(worker::await)
                        .isInstanceOf(AsyncCancellation.class)
                        .hasMessage("outside");
                assertThat(log)
                        .startsWith("section begins", "section cancelled")
                        .doesNotContain("after ends");
            }
        });
    }

    @Test
    void limitOfACoroutineThatIsCancelledAlready_changesNothing() {
        TestRuntime.run(() -> {
            Coroutine<?> worker = spawn(() -> {
                try {
                    waits("body", 1_000);
                } finally {
                    assertThatThrownBy(() -> withTimeout(LIMIT, () -> waits("clean-up", 1_000)))
                            .isInstanceOf(AsyncTimeoutException.class);
                    waits("rest", 10);
                }
            });
            delay(10);
            worker.cancel("outside");
            assertThatThrownBy(worker::await).hasMessage("outside");
            assertThat(log)
                    .as("a limit is the way to bound a clean-up")
                    .containsExactly(
                            "body begins",
                            "body cancelled",
                            "clean-up begins",
                            "clean-up cancelled",
                            "rest begins",
                            "rest ends");
        });
    }

    @Test
    void shutdown_doesNotWaitForALimit() {
        TestRuntime.run(runtime -> {
            spawn(() -> {
                try {
                    withTimeout(Duration.ofHours(1), () -> protect(() -> waits("section", 7_200_000)));
                } finally {
                    log.add("ended at " + runtime.reactor().nanoTime() / 1_000_000);
                }
            });
            delay(10);
            gracefulShutdown();
        });
        assertThat(log).contains("ended at 10");
    }

    @Test
    @Tag("Ch1")
    void valueThatWasHandedOver_countsAlthoughTheLimitCameFirst() {
        TestRuntime.run(() -> {
            for (long at = 48; at <= 52; at++) {
                var channel = new Channel<Integer>();
                long taken = at;
                Coroutine<Integer> receiver = spawn(() -> {
                    delay(taken);
                    return channel.receive(timeout(5));
                });
                boolean sent;
                try {
                    withTimeout(LIMIT, () -> channel.send(1));
                    sent = true;
                } catch (AsyncTimeoutException e) {
                    sent = false;
                }
                boolean received;
                try {
                    received = receiver.await() == 1;
                } catch (OperationCanceledException e) {
                    received = false;
                }
                assertThat(received).as("taken at %d", at).isEqualTo(sent);
            }
        });
    }

    // ---- misuse and load

    @Test
    void misuse_isNamed() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(-5), () -> 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("limit must be >= 0 ms, got -5");
            assertThatThrownBy(() -> withTimeout(null, () -> 1)).isInstanceOf(NullPointerException.class);
            Section<Integer, RuntimeException> none = null;
            assertThatThrownBy(() -> withTimeout(LIMIT, none)).isInstanceOf(NullPointerException.class);
            withTimeout(Duration.ofSeconds(Long.MAX_VALUE), () -> waits("for ever is long enough", 5));
            assertGoesOn();
        });
        assertThatThrownBy(() -> withTimeout(LIMIT, () -> 1))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.withTimeout");
    }

    @Test
    void manySections_leaveNothing() {
        TestRuntime.run(() -> {
            int[] over = {0};
            try (var scope = new Scope()) {
                for (int c = 0; c < 20; c++) {
                    int number = c;
                    scope.spawn(() -> {
                        for (int i = 0; i < 50; i++) {
                            try {
                                withTimeout(Duration.ofMillis(1 + i % 3), () -> delay((number + 1) % 4));
                            } catch (AsyncTimeoutException e) {
                                over[0]++;
                            }
                        }
                    });
                }
                scope.awaitCompletion();
            }
            assertThat(over[0]).isPositive().isLessThan(1_000);
            assertGoesOn();
        });
    }
}
