package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;

class AwaitTest {
    private static Coroutine<Integer> ends(long millis, int value) {
        return spawn(() -> {
            delay(millis);
            return value;
        });
    }

    @Test
    @Tag("K39")
    @Tag("A1")
    void coroutineAlreadyCompleted_costsNoSwitch() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = spawn(() -> 7);
            suspend();
            var log = new ArrayList<String>();
            spawn(() -> log.add("peer"));
            var stats = TestRuntime.counting(() -> {
                assertThat(await(done)).isEqualTo(7);
                assertThat(await(done, timeout(5))).isEqualTo(7);
                assertThat(await(done, ends(100, 1))).isEqualTo(7);
            });
            assertThat(stats.switches()).isZero();
            assertThat(stats.timers()).isZero();
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("K39")
    @Tag("A1")
    void coroutineAlreadyFailed_throwsAtOnce() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<Integer> failed = spawn(() -> {
                throw error;
            });
            suspend();
            var stats = TestRuntime.counting(() -> {
                assertThatThrownBy(() -> await(failed)).isSameAs(error);
                assertThatThrownBy(() -> await(failed, timeout(5))).isSameAs(error);
            });
            assertThat(stats.switches()).isZero();
        });
    }

    @Test
    @Tag("K39")
    @Tag("A1")
    void stageAlreadyCompleted_costsNoSwitch() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            spawn(() -> log.add("peer"));
            var stats = TestRuntime.counting(() -> {
                assertThat(await(CompletableFuture.completedFuture(1))).isEqualTo(1);
                assertThat(await(CompletableFuture.completedFuture(2), timeout(5)))
                        .isEqualTo(2);
                assertThatThrownBy(() -> await(CompletableFuture.failedFuture(new IllegalStateException("expected"))))
                        .isInstanceOf(IllegalStateException.class);
            });
            assertThat(stats.switches()).isZero();
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("A1")
    void completedWithACompletedToken_theResultWins() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = spawn(() -> 7);
            Coroutine<Integer> token = spawn(() -> 1);
            suspend();
            assertThat(await(done, token)).isEqualTo(7);
        });
    }

    @Test
    @Tag("A2")
    void pending_parksAndReturnsTheValue() {
        TestRuntime.run(runtime -> {
            assertThat(await(ends(50, 9))).isEqualTo(9);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(50_000_000);
            assertThat(Async.<String>await(Async.<String>spawn(() -> null))).isNull();
        });
    }

    @Test
    @Tag("A2")
    void severalAwaiters_seeTheSameOutcomeInSubscriptionOrder() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<Integer> value = ends(5, 3);
            Coroutine<Integer> failure = spawn(() -> {
                delay(5);
                throw error;
            });
            for (int i = 0; i < 3; i++) {
                int number = i;
                spawn(() -> {
                    log.add(number + " got " + await(value));
                    assertThatThrownBy(() -> await(failure)).isSameAs(error);
                    assertThat(await(value)).isEqualTo(3);
                });
            }
            await(value);
        });
        assertThat(log).containsExactly("0 got 3", "1 got 3", "2 got 3");
    }

    @Test
    @Tag("A3")
    @Tag("D16")
    void subscriberThatGaveUp_hasNotObservedTheError() {
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> fails = spawn(() -> {
                delay(5);
                throw error;
            });
            // gives up before it fails
            assertThatThrownBy(() -> await(fails, timeout(1))).isInstanceOf(OperationCanceledException.class);
        });
        assertThat(thrown).isSameAs(error);
    }

    @Test
    @Tag("A4")
    void tokenIsTheAwaitedThing_isIgnored() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = ends(5, 1);
            assertThat(await(c, c)).isEqualTo(1);
            assertThat(await(c, c)).isEqualTo(1);
            Timeout t = timeout(5);
            assertThatThrownBy(() -> await(t, t)).isInstanceOf(AsyncTimeoutException.class);
        });
    }

    @Test
    @Tag("A5")
    void resultThenTokenBeforeTheWaiterRuns_theResultDecides() {
        TestRuntime.run(() -> {
            // both end in the same round of the queue, before the waiter has its turn
            var order = new ArrayList<String>();
            Coroutine<Integer> token = spawn(() -> {
                suspend();
                order.add("token");
                return 0;
            });
            Coroutine<Integer> value = spawn(() -> {
                order.add("value");
                return 1;
            });
            Coroutine<Integer> waiter = spawn(() -> 0);
            waiter.asHighPriority();
            assertThat(await(value, token)).isEqualTo(1);
            suspend();
            assertThat(((Event) token).hasCallbacks()).isFalse();
            assertThat(order).startsWith("value");
        });
    }

    @Test
    @Tag("A5")
    void bothEndInOneRound_theFirstDecides() {
        TestRuntime.run(() -> {
            Coroutine<Integer> value = spawn(() -> 1);
            Coroutine<Integer> token = spawn(() -> 0);
            assertThat(await(value, token)).isEqualTo(1);
            Coroutine<Integer> firstToken = spawn(() -> 0);
            Coroutine<Integer> laterValue = spawn(() -> 1);
            assertThatThrownBy(() -> await(laterValue, firstToken)).isInstanceOf(OperationCanceledException.class);
            assertThat(await(laterValue)).isEqualTo(1);
        });
    }

    @Test
    @Tag("A6")
    @Tag("A7")
    void tokenFires_onlyTheWaitEnds() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(50, 4);
            assertThatThrownBy(() -> await(slow, ends(10, 1)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasNoCause();
            assertThat(slow.isCompleted()).isFalse();
            assertThat(slow.isCancellationRequested()).isFalse();
            assertThat(((Event) slow).hasCallbacks()).isFalse();
            assertThat(await(slow)).isEqualTo(4);
        });
    }

    @Test
    @Tag("A7")
    void tokenThatFails_isTheCause() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("token's error");
            Coroutine<?> token = spawn(() -> {
                delay(1);
                throw error;
            });
            assertThatThrownBy(() -> await(ends(50, 4), token))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCause(error);
            assertThatThrownBy(() -> await(ends(50, 4), timeout(3)))
                    .isInstanceOf(OperationCanceledException.class)
                    .cause()
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                            .isEqualTo(Duration.ofMillis(3)));
        });
    }

    @Test
    @Tag("A7")
    @Tag("C9")
    void operationGivenUp_isCaughtAsACancellationButDoesNotCancelTheCoroutine() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> {
                try {
                    await(ends(50, 4), timeout(3));
                } catch (OperationCanceledException e) {
                    delay(1);
                    return 8;
                }
                return 0;
            });
            assertThat(await(c)).isEqualTo(8);
            assertThat(c.isCancellationRequested()).isFalse();
        });
    }

    @Test
    @Tag("A8")
    void tokenAlreadyCompleted_throwsWithoutParkingOrSubscribing() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("token's error");
            Coroutine<?> token = spawn(() -> 1);
            Coroutine<?> failedToken = spawn(() -> {
                throw error;
            });
            Coroutine<Integer> pending = ends(5, 1);
            suspend();
            var stats = TestRuntime.counting(() -> {
                assertThatThrownBy(() -> await(pending, token))
                        .isInstanceOf(OperationCanceledException.class)
                        .hasNoCause();
                assertThatThrownBy(() -> await(pending, failedToken))
                        .isInstanceOf(OperationCanceledException.class)
                        .hasCause(error);
            });
            assertThat(stats.switches()).isZero();
            assertThat(((Event) pending).hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("A8")
    void tokenAlreadyCompletedAndAPendingStage_throwsWithoutParking() {
        TestRuntime.run(() -> {
            Coroutine<?> token = spawn(() -> 1);
            suspend();
            var stats =
                    TestRuntime.counting(() -> assertThatThrownBy(() -> await(new CompletableFuture<Integer>(), token))
                            .isInstanceOf(OperationCanceledException.class));
            assertThat(stats.switches()).isZero();
            assertThat(stats.activeEvents()).isZero();
        });
    }

    @Test
    @Tag("A9")
    void errorOfTheAwaitedThing_isNeverWrapped() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<?> fails = spawn(() -> {
                delay(1);
                throw error;
            });
            assertThatThrownBy(() -> await(fails, timeout(50))).isSameAs(error);
            var reason = new AsyncCancellation("manual");
            Coroutine<?> cancelled = spawn(() -> delay(100));
            Coroutine<?> waiter = spawn(() ->
                    assertThatThrownBy(() -> await(cancelled, timeout(50))).isSameAs(reason));
            suspend();
            suspend();
            cancelled.cancel(reason);
            await(waiter);
        });
    }

    @Test
    @Tag("A12")
    void tokenThatFailsAfterTheWait_isObserved() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = spawn(() -> 1);
            Coroutine<?> token = spawn(() -> {
                delay(10);
                throw new IllegalStateException("expected");
            });
            suspend();
            await(done, token);
        });
        TestRuntime.run(() -> {
            Coroutine<?> token = spawn(() -> {
                delay(10);
                throw new IllegalStateException("expected");
            });
            await(ends(1, 1), token);
            delay(20);
            assertThat(token.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("A12")
    @Tag("F37")
    void losers_areUnsubscribedAtOnce() {
        TestRuntime.run(() -> {
            Coroutine<Integer> token = ends(100, 1);
            Coroutine<Integer> value = ends(1, 1);
            await(value, token);
            assertThat(((Event) token).hasCallbacks()).isFalse();
            Coroutine<Integer> slow = ends(100, 1);
            assertThatThrownBy(() -> await(slow, ends(1, 1))).isInstanceOf(OperationCanceledException.class);
            assertThat(((Event) slow).hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("A25")
    @Tag("F31")
    void cancelledAwaiter_leavesTheAwaitedAlone() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(10, 6);
            Coroutine<?> awaiter = spawn(() -> await(slow));
            suspend();
            suspend();
            assertThat(((Event) slow).hasCallbacks()).isTrue();
            awaiter.cancel();
            assertThat(((Event) slow).hasCallbacks()).isFalse();
            assertThat(await(slow)).isEqualTo(6);
        });
    }

    @Test
    void stageCompletedByAnotherThread_wakesTheAwaiter() {
        TestRuntime.run(() -> {
            var stage = new CompletableFuture<String>();
            new Thread(() -> stage.complete("from outside")).start();
            assertThat(await(stage)).isEqualTo("from outside");
        });
    }

    @Test
    void stageThatFails_throwsTheErrorItself() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var checked = new IOException("expected");
            assertThatThrownBy(() -> await(CompletableFuture.supplyAsync(() -> {
                        throw error;
                    })))
                    .isSameAs(error);
            assertThatThrownBy(() -> await(CompletableFuture.failedFuture(checked)))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(checked);
            var cancelled = new CompletableFuture<Integer>();
            cancelled.cancel(true);
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    void stageCompletedAfterTheAwaiterLeft_isIgnored() {
        TestRuntime.run(() -> {
            var stage = new CompletableFuture<String>();
            assertThatThrownBy(() -> await(stage, timeout(1))).isInstanceOf(OperationCanceledException.class);
            stage.complete("late");
            delay(5);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(await(stage)).isEqualTo("late");
        });
    }

    @Test
    @Tag("A22")
    void completableOfSomebodyElse_isRefused() {
        var foreign = new Completable<Integer>() {
            @Override
            public boolean isCompleted() {
                return false;
            }

            @Override
            public boolean isCancelled() {
                return false;
            }

            @Override
            public void cancel() {}

            @Override
            public void cancel(AsyncCancellation reason) {}

            @Override
            public CompletableFuture<Integer> toCompletableFuture() {
                return new CompletableFuture<>();
            }
        };
        TestRuntime.run(() -> assertThatThrownBy(() -> await(foreign)).isInstanceOf(AsyncException.class));
    }

    @Test
    @Tag("A13")
    @Tag("A14")
    void awaitAllOrFail_valuesInInputOrder() {
        TestRuntime.run(runtime -> {
            Coroutine<Integer> done = spawn(() -> 0);
            suspend();
            assertThat(Async.<Integer>awaitAllOrFail(List.of(ends(30, 1), ends(10, 2), done, ends(20, 3))))
                    .containsExactly(1, 2, 0, 3);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(30_000_000);
            assertThat(Async.<String, Integer>awaitAllOrFail(Map.of("a", ends(2, 1))))
                    .isEqualTo(Map.of("a", 1));
            assertThat(Async.<Integer>awaitAllOrFail(List.<Coroutine<Integer>>of()))
                    .isEmpty();
        });
    }

    @Test
    @Tag("A13")
    @Tag("A20")
    void awaitAllOrFail_throwsTheFirstErrorAtOnceAndTheRestGoesOn() {
        TestRuntime.run(runtime -> {
            var error = new IllegalStateException("expected");
            Coroutine<Integer> fails = spawn(() -> {
                delay(10);
                throw error;
            });
            Coroutine<Integer> slow = ends(50, 1);
            assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(List.of(slow, fails)))
                    .isSameAs(error);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(10_000_000);
            assertThat(((Event) slow).hasCallbacks()).isFalse();
            assertThat(await(slow)).isEqualTo(1);
        });
    }

    @Test
    @Tag("F9")
    void awaitAllOrFail_allDoneBeforehand_costsNoSwitch() {
        TestRuntime.run(() -> {
            List<Coroutine<Integer>> done = List.of(ends(1, 1), ends(2, 2));
            delay(5);
            RuntimeStats cost = TestRuntime.counting(
                    () -> assertThat(Async.<Integer>awaitAllOrFail(done)).containsExactly(1, 2));
            assertThat(cost.switches()).isZero();
        });
    }

    @Test
    @Tag("F9")
    void awaitAllOrFail_oneFailedBeforehand_throwsWithoutWaitingForTheOthers() {
        TestRuntime.run(() -> {
            Coroutine<Integer> failed = spawn(() -> {
                throw new IllegalStateException("failed");
            });
            Coroutine<Integer> slow = ends(1_000, 1);
            suspend();
            assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(List.of(slow, failed)))
                    .hasMessage("failed");
            assertThat(slow.isCompleted()).isFalse();
        });
    }

    @Test
    @Tag("F37")
    void awaitAllOrFail_withTokens() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(List.of(ends(50, 1)), timeout(10)))
                    .as("token fires")
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(Async.<Integer>awaitAllOrFail(List.of(ends(1, 1)), timeout(10)))
                    .as("token loses")
                    .containsExactly(1);
            assertThat(Async.<String, Integer>awaitAllOrFail(Map.of("a", ends(1, 1)), timeout(10)))
                    .containsExactly(Map.entry("a", 1));
            delay(100);
            assertThat(Async.runtimeStats().timers()).isZero();
            Coroutine<Integer> over = ends(1, 0);
            Coroutine<Integer> done = ends(1, 7);
            delay(5);
            assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(List.of(ends(50, 1)), over))
                    .as("token has fired")
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(Async.<Integer>awaitAllOrFail(List.of(done), over))
                    .as("nothing to wait for, so the token is not asked")
                    .containsExactly(7);
        });
    }

    @Test
    @Tag("A19")
    void awaitAllOrFail_sameMemberTwice() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = ends(5, 1);
            assertThat(Async.<Integer>awaitAllOrFail(List.of(c, c))).containsExactly(1, 1);
        });
    }
}
