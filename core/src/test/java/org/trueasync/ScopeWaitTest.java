package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

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
            assertThatThrownBy(() -> scope.awaitCompletion(null)).isInstanceOf(NullPointerException.class);
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
    @Tag("C32")
    void errorsAfterCancellation_leaveTheWaitWithoutAHandlerOrThroughIt() {
        TestRuntime.run(() -> {
            Scope first = cancelledWithTwoErrors();
            assertThatThrownBy(first::awaitAfterCancellation).hasMessage("error 1");
            assertThatThrownBy(first::awaitAfterCancellation).hasMessage("error 2");
            Scope second = cancelledWithTwoErrors();
            assertThatThrownBy(() -> second.awaitAfterCancellation(
                            (error, s) -> {
                                throw new IllegalArgumentException("from the handler", error);
                            },
                            null))
                    .hasMessage("from the handler")
                    .cause()
                    .hasMessage("error 1");
            assertThatThrownBy(second::awaitAfterCancellation).hasMessage("error 2");
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

            Coroutine<?> condemned = scope.spawn(() -> log.add("never"));
            Coroutine<?> again = spawn(() -> scope.awaitCompletion(timeout(1_000)));
            suspend();
            condemned.cancel();
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
}
