package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.AwaitOption.FILL_NULL;
import static org.trueasync.AwaitOption.ORDER_OF_ENDING;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;

class AwaitAllTest {
    static Coroutine<Integer> ends(long millis, int value) {
        return spawn(() -> {
            delay(millis);
            return value;
        });
    }

    static Coroutine<Integer> fails(long millis, RuntimeException error) {
        return spawn(() -> {
            delay(millis);
            throw error;
        });
    }

    static boolean isAwaited(Object member) {
        return ((Event) member).hasCallbacks();
    }

    @Test
    @Tag("A13")
    void mixedOutcomes_valuesAndErrorsByTheKeysOfTheInput() {
        TestRuntime.run(runtime -> {
            var error = new IllegalStateException("expected");
            Outcomes<Integer, Integer> byPosition = awaitAll(List.of(ends(30, 1), fails(10, error), ends(20, 3)));
            assertThat(byPosition.results()).isEqualTo(Map.of(0, 1, 2, 3));
            assertThat(byPosition.errors()).isEqualTo(Map.of(1, error));
            assertThat(runtime.reactor().nanoTime()).isEqualTo(30_000_000);

            Outcomes<String, Integer> byName = awaitAll(Map.of("good", ends(1, 1), "bad", fails(2, error)));
            assertThat(byName.results()).isEqualTo(Map.of("good", 1));
            assertThat(byName.errors()).isEqualTo(Map.of("bad", error));
        });
    }

    @Test
    @Tag("A13")
    void memberThatWasCancelled_isAnErrorAmongOthers() {
        TestRuntime.run(() -> {
            Coroutine<Integer> cancelled = ends(50, 1);
            var reason = new AsyncCancellation("expected");
            spawn(() -> cancelled.cancel(reason));
            Outcomes<Integer, Integer> outcomes = awaitAll(List.of(cancelled, ends(5, 2)));
            assertThat(outcomes.errors()).isEqualTo(Map.of(0, reason));
            assertThat(outcomes.results()).isEqualTo(Map.of(1, 2));
        });
    }

    @Test
    @Tag("A13")
    void nullAsAValue_isAValue() {
        TestRuntime.run(() -> {
            Outcomes<Integer, Integer> outcomes = awaitAll(List.of(Async.<Integer>spawn(() -> null), ends(1, 1)));
            assertThat(outcomes.errors()).isEmpty();
            assertThat(outcomes.results()).containsEntry(0, null).containsEntry(1, 1);
        });
    }

    @Test
    @Tag("A13")
    void fillNull_putsNullAtFailedKeys() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Outcomes<Integer, Integer> outcomes = awaitAll(List.of(ends(3, 1), fails(1, error), ends(2, 3)), FILL_NULL);
            assertThat(outcomes.results().keySet()).containsExactly(0, 1, 2);
            assertThat(outcomes.results().values()).containsExactly(1, null, 3);
            assertThat(outcomes.errors()).isEqualTo(Map.of(1, error));

            Outcomes<Integer, Integer> both =
                    awaitAll(List.of(ends(3, 1), fails(1, error), ends(2, 3)), timeout(50), FILL_NULL, ORDER_OF_ENDING);
            assertThat(both.results().keySet()).containsExactly(1, 2, 0);
            assertThat(both.results().values()).containsExactly(null, 3, 1);
        });
    }

    @Test
    @Tag("A13")
    void orFail_throwsTheErrorThatCameFirst() {
        TestRuntime.run(runtime -> {
            var first = new IllegalStateException("at 10");
            var second = new IllegalStateException("at 20");
            Coroutine<Integer> late = fails(20, second);
            assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(List.of(ends(5, 1), late, fails(10, first))))
                    .isSameAs(first);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(10_000_000);
            assertThatThrownBy(() -> await(late)).isSameAs(second);
        });
    }

    @Test
    @Tag("A14")
    void keys_areInInputOrderOrOnRequestInThatOfEnding() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var input = new LinkedHashMap<String, Coroutine<Integer>>();
            input.put("c", ends(30, 3));
            input.put("x", fails(25, error));
            input.put("a", ends(10, 1));
            input.put("y", fails(5, error));
            input.put("b", ends(20, 2));
            Outcomes<String, Integer> asGiven = awaitAll(input);
            assertThat(asGiven.results().keySet()).containsExactly("c", "a", "b");
            assertThat(asGiven.errors().keySet()).containsExactly("x", "y");

            input.replaceAll((key, done) -> switch (key) {
                case "c" -> ends(30, 3);
                case "x" -> fails(25, error);
                case "a" -> ends(10, 1);
                case "y" -> fails(5, error);
                default -> ends(20, 2);
            });
            Outcomes<String, Integer> asEnded = awaitAll(input, ORDER_OF_ENDING);
            assertThat(asEnded.results().keySet()).containsExactly("a", "b", "c");
            assertThat(asEnded.errors().keySet()).containsExactly("y", "x");
        });
    }

    @Test
    @Tag("A14")
    void orFail_valuesInInputOrderOrOnRequestInThatOfEnding() {
        TestRuntime.run(() -> {
            assertThat(Async.<Integer>awaitAllOrFail(List.of(ends(3, 3), ends(1, 1), ends(2, 2))))
                    .containsExactly(3, 1, 2);
            assertThat(Async.<Integer>awaitAllOrFail(List.of(ends(3, 3), ends(1, 1), ends(2, 2)), ORDER_OF_ENDING))
                    .containsExactly(1, 2, 3);
            var input = new LinkedHashMap<String, Coroutine<Integer>>();
            input.put("late", ends(2, 2));
            input.put("early", ends(1, 1));
            assertThat(Async.<String, Integer>awaitAllOrFail(input).keySet()).containsExactly("late", "early");
            input.put("late", ends(2, 2));
            input.put("early", ends(1, 1));
            assertThat(Async.<String, Integer>awaitAllOrFail(input, ORDER_OF_ENDING)
                            .keySet())
                    .containsExactly("early", "late");
        });
    }

    @Test
    @Tag("A17")
    void nothingToAwait_isServedAtOnce() {
        TestRuntime.run(() -> {
            List<Coroutine<Integer>> none = List.of();
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Integer>awaitAll(none)).isEqualTo(new Outcomes<>(Map.of(), Map.of()));
                assertThat(Async.<Integer>awaitAllOrFail(none)).isEmpty();
                assertThat(Async.<Integer>awaitAnyOrFail(none)).isNull();
                assertThat(Async.<Integer>awaitFirstSuccess(none)).isEqualTo(new FirstSuccess<>(false, null, Map.of()));
                assertThat(Async.<Integer>awaitAnyOf(3, none).results()).isEmpty();
                assertThat(Async.<Integer>awaitAnyOfOrFail(3, none)).isEmpty();
                assertThat(Async.<String, Integer>awaitAll(Map.<String, Coroutine<Integer>>of())
                                .results())
                        .isEmpty();
            });
            assertThat(cost.switches()).isZero();
        });
    }

    @Test
    @Tag("A18")
    @Tag("F9")
    void membersThatHaveEnded_areCountedWithoutASwitch() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            List<Coroutine<Integer>> done = List.of(ends(2, 1), fails(1, error), ends(3, 3));
            delay(5);
            var log = new ArrayList<String>();
            spawn(() -> log.add("peer"));
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Integer>awaitAll(done).results()).isEqualTo(Map.of(0, 1, 2, 3));
                assertThat(Async.<Integer>awaitAll(done, timeout(1)).errors()).isEqualTo(Map.of(1, error));
                assertThatThrownBy(() -> Async.<Integer>awaitAllOrFail(done)).isSameAs(error);
            });
            assertThat(cost.switches()).isZero();
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("A18")
    void someHaveEnded_theOthersAreWaitedFor() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = ends(0, 1);
            suspend();
            suspend();
            assertThat(done.isCompleted()).isTrue();
            assertThat(Async.<Integer>awaitAll(List.of(ends(5, 2), done, ends(4, 3)))
                            .results())
                    .isEqualTo(Map.of(0, 2, 1, 1, 2, 3));
        });
    }

    @Test
    @Tag("A19")
    void sameMemberUnderSeveralKeys_fillsEveryKey() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            for (int round = 0; round < 2; round++) {
                Coroutine<Integer> value = ends(5, 1);
                Coroutine<Integer> failure = fails(4, error);
                if (round == 1) delay(10); // ended before
                Outcomes<Integer, Integer> outcomes = awaitAll(List.of(value, failure, value, failure, value));
                assertThat(outcomes.results()).isEqualTo(Map.of(0, 1, 2, 1, 4, 1));
                assertThat(outcomes.errors()).isEqualTo(Map.of(1, error, 3, error));
                assertThat(isAwaited(value)).isFalse();
            }
            Coroutine<Integer> twice = ends(5, 7);
            assertThat(Async.<String, Integer>awaitAllOrFail(Map.of("a", twice, "b", twice)))
                    .isEqualTo(Map.of("a", 7, "b", 7));
        });
    }

    @Test
    @Tag("A20")
    void oneHasFailed_theOthersGoOnUnsubscribedAndTheirErrorsAreTheirHandles() {
        var later = new IllegalStateException("later");
        TestRuntime ended = TestRuntime.run(() -> {
            var first = new IllegalStateException("first");
            Coroutine<Integer> loser = fails(10, later);
            Coroutine<Integer> slow = ends(20, 1);
            Timeout timer = timeout(1_000);
            List<Completable<?>> all = List.of(loser, slow, timer, fails(1, first));
            assertThatThrownBy(() -> Async.<Object>awaitAllOrFail(all)).isSameAs(first);
            for (Completable<?> member : all) assertThat(isAwaited(member)).isFalse();
            delay(15);
            assertThatThrownBy(() -> await(loser)).isSameAs(later);
            assertThat(await(slow)).isEqualTo(1);
        });
        assertThat(ended.reports()).isEmpty();
        assertThat(ended.reactor().nanoTime()).isEqualTo(20_000_000);
    }

    @Test
    @Tag("A22")
    void memberThatCanNotBeAwaited_isRefusedBeforeAnyWait() {
        TestRuntime.run(() -> {
            Coroutine<Integer> good = ends(5, 1);
            var withNull = new ArrayList<Coroutine<Integer>>(Collections.singletonList(good));
            withNull.add(null);
            @SuppressWarnings({"unchecked", "rawtypes"})
            List<Completable<Integer>> withText = (List) List.of(good, "text");
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThatThrownBy(() -> Async.<Integer>awaitAll(withNull)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> Async.<Integer>awaitAll(withText))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("java.lang.String")
                        .hasMessageContaining("Future.from");
                assertThatThrownBy(() -> Async.<Integer>awaitAnyOf(1, (List<Coroutine<Integer>>) null))
                        .isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> Async.<Integer>awaitAll(List.of(good), (Completable<?>) null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("cancellation");
            });
            assertThat(cost.switches()).isZero();
            assertThat(isAwaited(good)).isFalse();
        });
    }

    @Test
    @Tag("A22")
    void coroutineOfAnotherRuntime_isRefused() {
        TestRuntime.run(() -> {
            var other = new Coroutine<?>[1];
            Thread thread = new Thread(() -> TestRuntime.run(() -> other[0] = spawn(() -> delay(1))));
            thread.start();
            thread.join();
            assertThatThrownBy(() -> Async.<Object>awaitAll(List.of(other[0], ends(1, 1))))
                    .isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("A7")
    @Tag("F37")
    void token_endsTheWaitAndNotTheMembers() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(50, 1);
            Coroutine<Integer> token = ends(10, 0);
            assertThatThrownBy(() -> Async.<Integer>awaitAll(List.of(slow, ends(5, 2)), token))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasNoCause();
            assertThatThrownBy(() -> Async.<String, Integer>awaitAll(Map.of("slow", slow), timeout(10)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(isAwaited(slow)).isFalse();
            assertThat(slow.isCompleted()).isFalse();
            Coroutine<Integer> unused = ends(100, 0);
            assertThat(Async.<Integer>awaitAll(List.of(slow), unused).results()).isEqualTo(Map.of(0, 1));
            assertThat(isAwaited(unused)).isFalse();
        });
    }

    @Test
    @Tag("A8")
    void tokenThatHasEnded_givesUpBeforeAnythingIsSubscribed() {
        TestRuntime.run(() -> {
            Coroutine<Integer> token = ends(0, 0);
            Coroutine<Integer> slow = ends(50, 1);
            delay(1);
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThatThrownBy(() -> Async.<Integer>awaitAll(List.of(slow), token))
                        .isInstanceOf(OperationCanceledException.class);
                assertThatThrownBy(() -> Async.<Integer>awaitAnyOrFail(List.of(slow), token))
                        .isInstanceOf(OperationCanceledException.class);
            });
            assertThat(cost.switches()).isZero();
            assertThat(isAwaited(slow)).isFalse();
        });
    }

    @Test
    @Tag("A12")
    @Tag("F37")
    void tokenThatFailsUnasked_isObserved() {
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<Integer> done = ends(0, 1);
            Coroutine<Integer> token = fails(5, new IllegalStateException("token's error"));
            delay(1);
            assertThat(Async.<Integer>awaitAll(List.of(done), token).results()).hasSize(1);
            assertThat(Async.<Integer>awaitAnyOf(0, List.of(done), token).results())
                    .isEmpty();
            delay(10);
        });
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    @Tag("A23")
    void tokenThatIsAMember_givesTheWaitUpWhenItEnds() {
        TestRuntime.run(() -> {
            Coroutine<Integer> both = ends(5, 1);
            assertThatThrownBy(() -> Async.<Integer>awaitAll(List.of(both, ends(10, 2)), both))
                    .isInstanceOf(OperationCanceledException.class);
            Coroutine<Integer> alone = ends(5, 1);
            assertThatThrownBy(() -> Async.<Integer>awaitAnyOrFail(List.of(alone, ends(10, 2)), alone))
                    .isInstanceOf(OperationCanceledException.class);
            Timeout timer = timeout(5);
            assertThatThrownBy(() -> Async.<Object>awaitAllOrFail(List.of(timer, ends(10, 2)), timer))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
        });
    }

    @Test
    @Tag("A25")
    @Tag("F31")
    void waiterCancelled_leavesTheMembersUntouched() {
        TestRuntime.run(() -> {
            Coroutine<Integer> a = ends(10, 1);
            Coroutine<Integer> b = ends(20, 2);
            Coroutine<?> waiter = spawn(() -> Async.<Integer>awaitAll(List.of(a, b)));
            delay(5);
            assertThat(isAwaited(a)).isTrue();
            waiter.cancel();
            assertThat(isAwaited(a)).isFalse();
            assertThat(isAwaited(b)).isFalse();
            assertThat(Async.<Integer>awaitAllOrFail(List.of(a, b))).containsExactly(1, 2);
            assertThat(waiter.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("F32")
    void cancelledTogetherWithTheResult_onlyTheCancellationArrivesAndNothingIsLeftForTheNextWait() {
        TestRuntime.run(() -> {
            Coroutine<Integer> member = spawn(() -> 1);
            Coroutine<Integer> waiter = spawn(() -> {
                try {
                    Async.<Integer>awaitAll(List.of(member));
                } catch (AsyncCancellation e) {
                    delay(5);
                    return await(member);
                }
                return 0;
            });
            waiter.asHighPriority(); // waits before the member begins
            Coroutine<?> canceller = spawn(() -> waiter.cancel());
            suspend();
            assertThat(canceller.isCompleted()).isTrue();
            delay(20);
            assertThat(waiter.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("F50")
    void errorsCollectedLate_areNotReported() {
        TestRuntime ended = TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            List<Coroutine<Integer>> failed = List.of(fails(1, error), fails(2, error));
            delay(50);
            assertThat(Async.<Integer>awaitAll(failed).errors()).hasSize(2);
        });
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    @Tag("F38")
    void timeoutsAsMembers_endWithTheCall() {
        TestRuntime ended = TestRuntime.run(() -> {
            Outcomes<Integer, Object> outcomes = awaitAll(List.of(timeout(5), ends(10, 1)));
            assertThat(outcomes.errors().get(0)).isInstanceOf(AsyncTimeoutException.class);
            assertThat(Async.<Object>awaitAnyOrFail(List.of(timeout(500), ends(10, 1))))
                    .isEqualTo(1);
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(ended.reactor().nanoTime()).isEqualTo(20_000_000);
    }

    @Test
    void whoWaitsForMany_saysForWhom() {
        TestRuntime.run(() -> {
            var members = new ArrayList<Coroutine<Integer>>();
            for (int i = 0; i < 100; i++) members.add(ends(i < 10 ? 1 : 10, i));
            Coroutine<?> waiter = spawn(() -> Async.<Integer>awaitAll(members));
            delay(5);
            assertThat(waiter.awaitingInfo())
                    .singleElement()
                    .asString()
                    .startsWith("Async.awaitAll, 90 of 100 pending; coroutine #"
                            + members.get(10).id())
                    .endsWith("; ...");
        });
    }

    @Test
    @Tag("deep")
    void hundredThousandMembers_areAwaitedInOneWait() {
        TestRuntime.run(() -> {
            int count = 100_000;
            var members = new ArrayList<Coroutine<Integer>>(count);
            for (int i = 0; i < count; i++) {
                int value = i;
                members.add(spawn(() -> value));
            }
            RuntimeStats cost = TestRuntime.counting(() -> assertThat(Async.<Integer>awaitAllOrFail(members))
                    .hasSize(count)
                    .isSorted());
            assertThat(cost.timers()).isZero();
            assertThat(members).noneMatch(AwaitAllTest::isAwaited);
        });
    }

    @Test
    @Tag("F37")
    void manyWaitersWithOneToken_allLeaveIt() {
        TestRuntime.run(() -> {
            int count = 10_000;
            Coroutine<Integer> token = ends(1_000_000, 0);
            var waiters = new ArrayList<Coroutine<Integer>>(count);
            for (int i = 0; i < count; i++) {
                Coroutine<Integer> awaited = ends(1 + i % 7, i);
                waiters.add(spawn(() -> await(awaited, token)));
            }
            assertThat(Async.<Integer>awaitAllOrFail(waiters, token))
                    .hasSize(count)
                    .isSorted();
            assertThat(isAwaited(token)).isFalse();
            token.cancel();
        });
    }
}
