package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** awaitCompletion and awaitAfterCancellation. */
class ScopeWaitTest {
    private final List<String> log = new ArrayList<>();

    @Test
    @Tag("C25")
    void closedOrIdleScope_returnsAtOnceAndCancelledOneThrows() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.awaitCompletion(timeout(10));
            scope.dispose();
            scope.awaitCompletion(timeout(10));
            var unwinding = new Scope();
            unwinding.spawn(() -> delay(1_000));
            suspend();
            unwinding.cancel();
            assertThatThrownBy(() -> unwinding.awaitCompletion(timeout(10)))
                    .isInstanceOf(AsyncCancellation.class)
                    .isNotInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> scope.awaitCompletion((Timeout) null)).isInstanceOf(NullPointerException.class);
        });
    }

    @Test
    void limit_endsTheWaitAndNotTheScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            for (int ms : new int[] {10, 20}) scope.spawn(() -> delay(ms));
            Scope.inherit(scope).spawn(() -> delay(20));
            assertThat(scope.size()).isEqualTo(2);
            assertThatThrownBy(() -> scope.awaitCompletion(Duration.ofMillis(15)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(scope.size()).isEqualTo(1);
            scope.awaitCompletion(Duration.ofMillis(15));
            assertThat(scope.size()).isZero();
            assertThatThrownBy(() -> scope.awaitCompletion(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("C26")
    @Tag("C30")
    void waitFromInside_isRefusedAtAnyDepth() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> inside = scope.spawn(() -> {
                Scope deep = Scope.inherit(Scope.inherit(scope));
                await(deep.spawn(() -> {
                    assertThatThrownBy(() -> scope.awaitCompletion(timeout(10)))
                            .isInstanceOf(AsyncException.class)
                            .hasMessageContaining("wait for itself");
                    assertThatThrownBy(scope::awaitAfterCancellation)
                            .isInstanceOf(AsyncException.class)
                            .hasMessageContaining("wait for itself");
                }));
            });
            await(inside);
            scope.dispose();
        });
    }

    @Test
    @Tag("C27")
    @Tag("F10")
    void completion_comesWithTheLastOfAllIncludingLaterOnes() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Scope below = Scope.inherit(scope);
            scope.spawn(() -> {
                delay(10);
                below.spawn(() -> {
                    delay(10);
                    log.add("later");
                });
            });
            below.spawn(() -> {
                delay(5);
                log.add("below");
            });
            scope.awaitCompletion(timeout(1_000));
            log.add("complete");
            assertThat(log).containsExactly("below", "later", "complete");
            scope.dispose();
        });
    }

    @Test
    @Tag("C27")
    void token_endsTheWaitAndNotTheScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> member = scope.spawn(() -> {
                delay(100);
                log.add("ended");
            });
            assertThatThrownBy(() -> scope.awaitCompletion(timeout(10)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(scope.isCancelled()).isFalse();
            await(member);
            assertThat(log).containsExactly("ended");
            scope.dispose();
        });
    }

    @Test
    @Tag("C28")
    @Tag("C33")
    void failureOfAMember_isThrownToTheWaiterAndHandledByThat() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("failed");
            var scope = new Scope();
            Coroutine<?> sibling = scope.spawn(() -> delay(10_000));
            Scope.inherit(scope).spawn(() -> {
                delay(5);
                throw error;
            });
            assertThatThrownBy(() -> scope.awaitCompletion(timeout(1_000))).isSameAs(error);
            assertThatThrownBy(() -> await(sibling)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("C29")
    void tokenOfAnImmediateReturn_countsAsUsed() {
        TestRuntime.run(() -> {
            Coroutine<?> token = spawn(() -> {
                throw new IllegalStateException("the token's own");
            });
            new Scope().awaitCompletion(token);
            delay(1);
        });
    }

    @Test
    @Tag("C30")
    void afterCancellation_needsACancelledScope() {
        TestRuntime.run(() -> assertThatThrownBy(() -> new Scope().awaitAfterCancellation())
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("needs a cancelled scope"));
    }

    @Test
    @Tag("C31")
    @Tag("C23")
    void afterCancellation_waitsForZombiesBelowToo() {
        TestRuntime.run(() -> {
            Scope scope = new Scope().allowZombies();
            Scope.inherit(scope).spawn(() -> {
                delay(30);
                log.add("zombie below");
            });
            suspend();
            scope.dispose();
            assertThat(scope.isFinished()).isTrue();
            scope.awaitAfterCancellation();
            log.add("over");
            assertThat(log).containsExactly("zombie below", "over");
            scope.awaitAfterCancellation();
        });
    }

    private Scope cancelledWithTwoErrors() {
        var scope = new Scope();
        for (int i = 1; i <= 2; i++) {
            int n = i;
            scope.spawn(() -> {
                try {
                    delay(10_000);
                } catch (AsyncCancellation e) {
                    delay(n);
                    throw new IllegalStateException("error " + n, e);
                }
            });
        }
        suspend();
        scope.cancel();
        return scope;
    }

    @Test
    @Tag("C32")
    void errorsAfterCancellation_goToTheHandlerOneByOne() {
        TestRuntime.run(() -> {
            Scope scope = cancelledWithTwoErrors();
            scope.awaitAfterCancellation(
                    (error, s) -> {
                        delay(20);
                        log.add(error.getMessage() + (s == scope));
                    },
                    null);
            assertThat(log).containsExactly("error 1true", "error 2true");
        });
    }

    @Test
    @Tag("D17")
    @Tag("C32")
    void errorsAfterCancellation_areThrownTogetherWhenAllHaveEnded() {
        TestRuntime.run(() -> {
            Scope first = cancelledWithTwoErrors();
            assertThatThrownBy(first::awaitAfterCancellation)
                    .satisfies(e -> assertThat(messages(e)).containsExactly("error 1", "error 2"));
            assertThat(first.isClosed()).isTrue();
            first.awaitAfterCancellation();
        });
    }

    @Test
    @Tag("F10")
    void completionIsToldOnEveryWayOut() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> unstarted = scope.spawn(() -> log.add("never"));
            Coroutine<?> parked = scope.spawn(() -> delay(10_000));
            Coroutine<?> waiter = spawn(() -> scope.awaitCompletion(timeout(1_000)));
            unstarted.cancel();
            suspend();
            suspend();
            assertThat(waiter.isCompleted()).isFalse();
            parked.cancel();
            await(waiter);
            assertThat(log).isEmpty();

            Coroutine<?> cancelledEarly = scope.spawn(() -> log.add("never"));
            Coroutine<?> again = spawn(() -> scope.awaitCompletion(timeout(1_000)));
            suspend();
            cancelledEarly.cancel();
            await(again);

            scope.spawn(() -> delay(10_000));
            Coroutine<?> last = spawn(() -> scope.awaitCompletion(timeout(1_000)));
            suspend();
            scope.dispose();
            await(last);
        });
    }

    @Test
    @Tag("F10")
    void scopeDisposedSafely_isCompleteForThoseWhoWait() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> zombie = scope.spawn(() -> delay(1_000));
            Coroutine<?> waiter = spawn(() -> scope.awaitCompletion(timeout(10_000)));
            suspend();
            scope.disposeSafely();
            await(waiter);
            assertThat(zombie.isCompleted()).isFalse();
        });
    }

    @Test
    @Tag("F31")
    void cancelledWaiter_leavesTheScopeAlone() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> member = scope.spawn(() -> delay(100));
            Coroutine<?> waiter = spawn(() -> scope.awaitCompletion(timeout(10_000)));
            suspend();
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
            await(member);
            assertThat(member.isCancelled()).isFalse();
            scope.dispose();
        });
    }

    // ---- all errors, at the end of the wait

    private static Coroutine<?> failsInItsCleanUp(Scope scope, long cleanUpMillis, String message) {
        return scope.spawn(() -> {
            try {
                delay(100_000);
            } finally {
                if (cleanUpMillis > 0) delay(cleanUpMillis);
                throwIt(message);
            }
        });
    }

    private static void throwIt(String message) {
        throw new IllegalStateException(message);
    }

    private static List<String> messages(Throwable thrown) {
        var all = new ArrayList<String>();
        all.add(thrown.getMessage());
        for (Throwable s : thrown.getSuppressed()) if (s instanceof IllegalStateException) all.add(s.getMessage());
        return all;
    }

    @Test
    @Tag("D17")
    void close_endsWithTheLastCoroutineAndBringsAllErrors() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThatThrownBy(() -> {
                        try (scope) {
                            failsInItsCleanUp(scope, 0, "first");
                            scope.spawn(() -> {
                                try {
                                    delay(100_000);
                                } finally {
                                    delay(50);
                                    log.add("slow one has ended");
                                }
                            });
                            failsInItsCleanUp(Scope.inherit(scope), 20, "second");
                            suspend();
                        }
                    })
                    .satisfies(e -> assertThat(messages(e)).containsExactly("first", "second"));
            assertThat(scope.isClosed()).isTrue();
            assertThat(log).containsExactly("slow one has ended");
        });
    }

    @Test
    @Tag("D17")
    void awaitCompletion_bringsAllErrorsWhenTheLastHasEnded() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            failsInItsCleanUp(scope, 30, "clean-up");
            scope.spawn(() -> {
                delay(5);
                throwIt("reason");
            });
            assertThatThrownBy(() -> scope.awaitCompletion(timeout(1_000)))
                    .satisfies(e -> assertThat(messages(e)).containsExactly("reason", "clean-up"));
            assertThat(scope.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("D17")
    void awaitAfterCancellation_bringsAllErrorsThatCameBeforeTheWaitersTurn() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            for (int i = 1; i <= 3; i++) failsInItsCleanUp(scope, 0, "error " + i);
            suspend();
            scope.cancel();
            assertThatThrownBy(scope::awaitAfterCancellation)
                    .satisfies(e -> assertThat(messages(e)).containsExactly("error 1", "error 2", "error 3"));
        });
    }

    @Test
    @Tag("D17")
    @Tag("C32")
    void errorHandlerThatThrows_endsTheWaitNoSoonerAndLosesNothing() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            failsInItsCleanUp(scope, 0, "error 1");
            failsInItsCleanUp(scope, 10, "error 2");
            suspend();
            scope.cancel();
            assertThatThrownBy(() -> scope.awaitAfterCancellation(
                            (error, s) -> {
                                log.add("handler got " + error.getMessage());
                                throw new IllegalArgumentException("handler of " + error.getMessage(), error);
                            },
                            null))
                    .hasMessage("handler of error 1")
                    .satisfies(e -> assertThat(e.getCause()).hasMessage("error 1"))
                    .satisfies(
                            e -> assertThat(e.getSuppressed()).singleElement().satisfies(s -> assertThat(s)
                                    .hasMessage("handler of error 2")));
            assertThat(log).containsExactly("handler got error 1", "handler got error 2");
            assertThat(scope.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("D17")
    void oneOfTwoWaitersGivesUp_theOtherOneHasTheError() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            failsInItsCleanUp(scope, 50, "boom");
            scope.spawn(() -> {
                try {
                    delay(100_000);
                } finally {
                    delay(100);
                }
            });
            suspend();
            scope.cancel();
            Coroutine<?> impatient = spawn(() -> scope.awaitAfterCancellation(null, timeout(60)));
            Coroutine<?> patient = spawn(() -> scope.awaitAfterCancellation());
            assertThatThrownBy(() -> await(impatient)).isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> await(patient)).hasMessage("boom");
            delay(1);
        });
    }

    @Test
    @Tag("D17")
    void waiterThatIsCancelled_leavesWhatItHasCollected() {
        TestRuntime.run(() -> {
            var above = new Scope();
            above.setExceptionHandler((s, c, error) -> log.add("above: " + error.getMessage()));
            Scope scope = Scope.inherit(above);
            failsInItsCleanUp(scope, 5, "boom");
            scope.spawn(() -> {
                try {
                    delay(100_000);
                } finally {
                    delay(100);
                    log.add("the other has ended");
                }
            });
            suspend();
            scope.cancel();
            Coroutine<?> waiter = spawn(() -> scope.awaitAfterCancellation());
            delay(10);
            assertThat(log).as("while it waits").isEmpty();
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
            delay(1);
            assertThat(log).containsExactly("above: boom");
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("above: boom", "the other has ended");
            above.dispose();
        });
    }

    @Test
    @Tag("D17")
    void errorThatTryWithResourcesHidesInACancellation_isTold() {
        TestRuntime.run(() -> {
            var above = new Scope();
            above.setExceptionHandler((s, c, error) -> log.add(error.getMessage()));
            Coroutine<?> owner = above.spawn(() -> {
                try (var scope = new Scope()) {
                    failsInItsCleanUp(scope, 10, "hidden");
                    delay(100_000);
                }
            });
            delay(1);
            owner.cancel();
            assertThatThrownBy(() -> await(owner)).isInstanceOf(AsyncCancellation.class);
            delay(1);
            assertThat(log).containsExactly("hidden");
            above.dispose();
        });
    }

    @Test
    @Tag("D17")
    void errorOfACloseThatWasCaught_isNotToldAgain() {
        TestRuntime.run(() -> {
            Coroutine<?> owner = spawn(() -> {
                try (var scope = new Scope()) {
                    failsInItsCleanUp(scope, 0, "caught");
                    suspend();
                } catch (IllegalStateException e) {
                    log.add(e.getMessage());
                }
                delay(100_000);
            });
            delay(1);
            owner.cancel();
            assertThatThrownBy(() -> await(owner)).isInstanceOf(AsyncCancellation.class);
        });
        assertThat(log).containsExactly("caught");
    }

    @Test
    @Tag("D17")
    @Tag("K64")
    void closeDuringAShutdown_stillWaitsForItsBlockAndTellsItsErrors() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                        try (var scope = new Scope()) {
                            failsInItsCleanUp(scope, 10, "clean-up failed");
                            scope.spawn(() -> {
                                try {
                                    delay(100_000);
                                } finally {
                                    delay(50);
                                    log.add("member has ended");
                                }
                            });
                            delay(100_000);
                        }
                    })
                    .onFinally(c -> log.add("owner has ended"));
            delay(1);
            Async.gracefulShutdown();
        });
        assertThat(thrown).hasMessage("clean-up failed");
        assertThat(log).containsExactly("member has ended", "owner has ended");
    }

    @Test
    @Tag("D17")
    @Tag("C12")
    void shutdownThatMeetsAClose_endsItNoSooner() {
        TestRuntime.run(() -> {
            spawn(() -> {
                try (var scope = new Scope()) {
                    scope.spawn(() -> {
                        try {
                            delay(100_000);
                        } finally {
                            assertThatThrownBy(() -> delay(10)).hasMessage("graceful shutdown");
                            delay(50);
                            log.add("member has ended");
                        }
                    });
                    suspend();
                }
                log.add("block has ended");
                suspend();
                log.add("not reached");
            });
            delay(1);
            Async.gracefulShutdown();
        });
        assertThat(log).containsExactly("member has ended", "block has ended");
    }

    @Test
    @Tag("D17")
    @Tag("C27")
    void token_countsFromTheBeginningOfTheWaitWhateverComesMeanwhile() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            for (int i = 1; i <= 9; i++) failsInItsCleanUp(scope, 10L * i, "error " + i);
            suspend();
            scope.cancel();
            var seen = new ArrayList<String>();
            assertThatThrownBy(
                            () -> scope.awaitAfterCancellation((error, s) -> seen.add(error.getMessage()), timeout(35)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(seen).containsExactly("error 1", "error 2", "error 3");
            scope.awaitAfterCancellation((error, s) -> seen.add(error.getMessage()), null);
            assertThat(seen).hasSize(9);
        });
    }
}
