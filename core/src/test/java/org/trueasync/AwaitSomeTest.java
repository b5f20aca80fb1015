package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;
import static org.trueasync.AwaitAllTest.ends;
import static org.trueasync.AwaitAllTest.fails;
import static org.trueasync.AwaitAllTest.isAwaited;
import static org.trueasync.AwaitOption.FILL_NULL;
import static org.trueasync.AwaitOption.ORDER_OF_ENDING;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The waits that need not wait for all. */
class AwaitSomeTest {
    private final IllegalStateException error = new IllegalStateException("expected");

    @Test
    @Tag("A15")
    void any_isTheFirstThatEndsWithItsValueOrItsError() {
        TestRuntime.run(runtime -> {
            Coroutine<Integer> slow = ends(50, 1);
            assertThat(Async.<Integer>awaitAnyOrFail(List.of(slow, ends(5, 2)))).isEqualTo(2);
            assertThatThrownBy(() -> Async.<Integer>awaitAnyOrFail(List.of(slow, fails(5, error))))
                    .isSameAs(error);
            assertThat(Async.<Integer>awaitAnyOrFail(
                            Map.of("slow", slow, "quick", ends(5, 3)).values(), timeout(100)))
                    .isEqualTo(3);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(15_000_000);
            assertThat(isAwaited(slow)).isFalse();
            assertThat(await(slow)).isEqualTo(1);
        });
    }

    @Test
    @Tag("A15")
    void firstSuccess_carriesTheErrorsBeforeIt() {
        TestRuntime.run(() -> {
            Coroutine<Integer> late = ends(40, 3);
            FirstSuccess<Integer> first = Async.awaitFirstSuccess(List.of(late, fails(1, error), ends(10, 2)));
            assertThat(first).isEqualTo(new FirstSuccess<>(true, 2, Map.of(1, error)));
            assertThat(isAwaited(late)).isFalse();
            assertThat(Async.<Integer>awaitFirstSuccess(List.of(fails(1, error), ends(2, 5)), timeout(100)))
                    .isEqualTo(new FirstSuccess<>(true, 5, Map.of(0, error)));
            Outcomes<String, Integer> byName =
                    Async.awaitAnyOf(1, Map.of("bad", fails(1, error), "good", ends(2, 5)), timeout(100));
            assertThat(byName.results()).isEqualTo(Map.of("good", 5));
            assertThat(byName.errors()).isEqualTo(Map.of("bad", error));
        });
    }

    @Test
    @Tag("A15")
    void firstSuccess_allFailed_hasAllErrorsAndThrowsNothing() {
        TestRuntime.run(() -> {
            var other = new IllegalArgumentException("expected too");
            FirstSuccess<Integer> none = Async.awaitFirstSuccess(List.of(fails(5, error), fails(1, other)));
            assertThat(none.isPresent()).isFalse();
            assertThat(none.value()).isNull();
            assertThat(none.errors().values()).containsExactly(error, other);
        });
    }

    @Test
    @Tag("A16")
    void someOf_countsSuccesses() {
        TestRuntime.run(runtime -> {
            Coroutine<Integer> late = ends(60, 1);
            Outcomes<Integer, Integer> two =
                    Async.awaitAnyOf(2, List.of(late, ends(20, 2), fails(5, error), ends(10, 3)));
            assertThat(two.results().keySet()).containsExactly(1, 3);
            assertThat(two.results()).isEqualTo(Map.of(1, 2, 3, 3));
            assertThat(two.errors()).isEqualTo(Map.of(2, error));
            assertThat(runtime.reactor().nanoTime()).isEqualTo(20_000_000);
            assertThat(isAwaited(late)).isFalse();

            Outcomes<Integer, Integer> shown = Async.awaitAnyOf(
                    2, List.of(late, ends(20, 2), fails(5, error), ends(10, 3)), FILL_NULL, ORDER_OF_ENDING);
            assertThat(shown.results().keySet()).containsExactly(2, 3, 1);
            assertThat(shown.results().values()).containsExactly(null, 3, 2);
        });
    }

    @Test
    @Tag("A16")
    void someOfOrFail_throwsTheFirstErrorBeforeEnoughHaveCome() {
        TestRuntime.run(() -> {
            assertThat(Async.<Integer>awaitAnyOfOrFail(2, List.of(ends(9, 9), ends(5, 5), ends(1, 1))))
                    .containsExactly(5, 1);
            assertThat(Async.<Integer>awaitAnyOfOrFail(
                            2, List.of(ends(9, 9), ends(5, 5), ends(1, 1)), timeout(100), ORDER_OF_ENDING))
                    .containsExactly(1, 5);
            assertThatThrownBy(
                            () -> Async.<Integer>awaitAnyOfOrFail(2, List.of(ends(9, 9), ends(1, 1), fails(5, error))))
                    .isSameAs(error);
            assertThat(Async.<String, Integer>awaitAnyOfOrFail(1, Map.of("bad", fails(5, error), "good", ends(1, 1))))
                    .as("the error comes too late")
                    .isEqualTo(Map.of("good", 1));
        });
    }

    @Test
    @Tag("A16")
    void someOf_none_isServedAtOnceAndAwaitsNobody() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(50, 1);
            Iterable<Coroutine<Integer>> untouched = () -> {
                throw new AssertionError("nobody asks");
            };
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Integer>awaitAnyOf(0, List.of(slow)).results())
                        .isEmpty();
                assertThat(Async.<Integer>awaitAnyOfOrFail(0, List.of(slow), timeout(5)))
                        .isEmpty();
                assertThat(Async.<Integer>awaitAnyOf(0, untouched).results()).isEmpty();
            });
            assertThat(cost.switches()).isZero();
            assertThat(cost.spawned()).isZero();
            assertThat(isAwaited(slow)).isFalse();
        });
    }

    @Test
    @Tag("A16")
    void someOf_negative_isRefused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Async.<Integer>awaitAnyOf(-1, List.of(ends(1, 1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> Async.<Integer>awaitAnyOfOrFail(-3, List.of(ends(1, 1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-3");
        });
    }

    @Test
    @Tag("A16")
    void someOf_moreThanThereAre_endsWithTheLast() {
        TestRuntime.run(runtime -> {
            Outcomes<Integer, Integer> all = Async.awaitAnyOf(9, List.of(ends(3, 1), fails(7, error), ends(5, 2)));
            assertThat(all.results()).isEqualTo(Map.of(0, 1, 2, 2));
            assertThat(all.errors()).isEqualTo(Map.of(1, error));
            assertThat(Async.<Integer>awaitAnyOfOrFail(9, List.of(ends(3, 1), ends(5, 2))))
                    .containsExactly(1, 2);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(12_000_000);
        });
    }

    @Test
    @Tag("A16")
    @Tag("A5")
    void whatEndsBetweenTheWakeAndTheWaiter_isNotCounted() {
        TestRuntime.run(() -> {
            var log = new ArrayList<Integer>();
            var members = new ArrayList<Coroutine<Integer>>();
            for (int i = 0; i < 4; i++) {
                int value = i;
                members.add(spawn(() -> {
                    log.add(value);
                    if (value == 3) throw error;
                    return value;
                }));
            }
            // the token is the last of the same round
            Coroutine<?> token = spawn(() -> log.add(9));
            Outcomes<Integer, Integer> one = Async.awaitAnyOf(1, members, token);
            assertThat(log).as("all have ended before the waiter went on").containsExactly(0, 1, 2, 3, 9);
            assertThat(one.results()).isEqualTo(Map.of(0, 0));
            assertThat(one.errors()).isEmpty();
            assertThat(isAwaited(token)).isFalse();
        });
    }

    @Test
    @Tag("A18")
    @Tag("F9")
    void thoseThatHaveEnded_areEnough_andNothingElseIsSubscribedTo() {
        TestRuntime.run(() -> {
            Coroutine<Integer> one = ends(1, 1);
            Coroutine<Integer> two = ends(1, 2);
            Coroutine<Integer> failed = fails(1, error);
            delay(5);
            var pending = new OnArming(event -> {
                throw new AssertionError("armed");
            });
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Object>awaitAnyOrFail(List.of(pending, one, two)))
                        .isEqualTo(1);
                assertThat(Async.<Object>awaitFirstSuccess(List.of(pending, failed, two)))
                        .isEqualTo(new FirstSuccess<>(true, 2, Map.of(1, error)));
                assertThat(Async.<Object>awaitAnyOf(2, List.of(one, pending, failed, two, one)))
                        .isEqualTo(new Outcomes<>(Map.of(0, 1, 3, 2), Map.of(2, error)));
                assertThatThrownBy(() -> Async.<Object>awaitAnyOfOrFail(2, List.of(one, pending, failed, two)))
                        .isSameAs(error);
            });
            assertThat(cost.switches()).isZero();
            assertThat(pending.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("A18")
    void memberThatEndsWhileItIsArmed_isNotLost() {
        TestRuntime.run(() -> {
            var atOnce = new OnArming(event -> event.end("at once", null));
            var another = new OnArming(event -> event.end(null, error));
            Coroutine<Integer> slow = ends(50, 1);
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Object>awaitAnyOrFail(List.of(slow, atOnce))).isEqualTo("at once");
                assertThatThrownBy(() -> Async.<Object>awaitAllOrFail(List.of(slow, another, slow)))
                        .isSameAs(error);
            });
            assertThat(cost.switches()).isZero();
            assertThat(isAwaited(slow)).isFalse();
            var third = new OnArming(event -> event.end("too", null));
            assertThat(Async.<Object>awaitAll(List.of(third, slow)).results()).isEqualTo(Map.of(0, "too", 1, 1));
        });
    }

    @Test
    @Tag("A22")
    void memberThatCanNotBeArmed_failsTheCallAndLeavesTheOthersAlone() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(50, 1);
            var bad = new OnArming(event -> {
                throw error;
            });
            assertThatThrownBy(() -> Async.<Object>awaitAll(List.of(slow, bad, timeout(20))))
                    .isSameAs(error);
            assertThat(isAwaited(slow)).isFalse();
            assertThat(bad.hasCallbacks()).isFalse();
            assertThat(Async.runtimeStats().timers()).isZero(); // the slow one has not begun
            assertThat(await(slow)).isEqualTo(1);
        });
    }

    @Test
    @Tag("A20")
    @Tag("D16")
    void losers_goOnAndTheirTimersAreGone() {
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<Integer> fails = fails(10, error);
            assertThat(Async.<Object>awaitAnyOrFail(List.of(fails, timeout(500), ends(1, 1))))
                    .isEqualTo(1);
            assertThat(isAwaited(fails)).isFalse();
            assertThat(Async.runtimeStats().timers()).isEqualTo(1); // the loser's own
        });
        assertThat(ended.reports())
                .as("it was awaited, so it does not end the run; nobody got it, so it is told of")
                .singleElement()
                .asString()
                .contains("the wait for it had ended");
        assertThat(ended.reactor().nanoTime()).isEqualTo(10_000_000);
    }

    @Test
    @Tag("A19")
    void sameMemberUnderSeveralKeys_countsForEach() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = ends(5, 1);
            assertThat(Async.<Integer>awaitAnyOfOrFail(2, List.of(c, ends(50, 2), c)))
                    .containsExactly(1, 1);
        });
    }

    @Test
    void keysMayBeNull() {
        TestRuntime.run(() -> {
            var input = new LinkedHashMap<String, Coroutine<Integer>>();
            input.put(null, ends(1, 1));
            assertThat(Async.<String, Integer>awaitAnyOf(1, input).results()).containsEntry(null, 1);
        });
    }

    @Test
    @Tag("F24")
    void membersThatCanNeverEnd_areADeadlock() {
        Throwable thrown = TestRuntime.failureOf(
                () -> Async.<Object>awaitAnyOrFail(List.of(Async.currentCoroutine(), new OnArming(event -> {}))));
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("A15")
    void givenUpWithAnErrorInItsHands_theErrorIsNotLost() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<Integer> failing = fails(1, error);
            Coroutine<Integer> slow = ends(100, 1);
            assertThatThrownBy(() -> Async.awaitAll(List.of(failing, slow), timeout(5)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(await(slow)).isEqualTo(1);
        });
        assertThat(thrown).isSameAs(error);
    }

    /** That the wait went on without it says nothing: its error is not meant for whoever awaits it. */
    @Test
    @Tag("A15")
    void launchedOneThatFailsAfterTheWait_endsTheRun() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> launched = Async.launch(() -> {
                delay(20);
                throw error;
            });
            assertThat(Async.<Object>awaitAnyOrFail(List.of(launched, ends(5, 2))))
                    .isEqualTo(2);
            delay(3_600_000);
        });
        assertThat(thrown).isSameAs(error);
    }
}
