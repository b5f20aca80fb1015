package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.lazily;
import static org.trueasync.Async.spawn;
import static org.trueasync.AwaitAllTest.ends;
import static org.trueasync.AwaitAllTest.fails;
import static org.trueasync.AwaitAllTest.isAwaited;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Members, tokens and cancellations that come in any order, also in the same round of the queue. */
class AwaitRacesTest {
    private static final int ROUNDS = 10_000;

    @Test
    @Tag("A5")
    @Tag("A16")
    @Tag("A20")
    @Tag("A25")
    @Tag("F31")
    @Tag("F32")
    void whateverComesFirst_oneOutcomeAndNothingStaysSubscribed() {
        TestRuntime ended = TestRuntime.run(() -> {
            for (int seed = 0; seed < ROUNDS; seed++) new Round(seed).play();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.coroutines()).containsExactly(Async.currentCoroutine());
        });
        assertThat(ended.reports()).isEmpty();
    }

    private static final class Round {
        private final int seed;
        private final Random random;
        private final List<Coroutine<Integer>> members = new ArrayList<>();
        private final int wanted;
        private Outcomes<Integer, Integer> outcomes;
        private Throwable thrown;

        Round(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.wanted = 1 + random.nextInt(5);
        }

        void play() {
            int count = 1 + random.nextInt(5);
            boolean lateCancel = random.nextInt(3) == 0;
            for (int i = 0; i < count; i++) {
                int position = i;
                // position as the value: whose it is shows
                members.add(
                        random.nextInt(4) == 0
                                ? fails(random.nextInt(3), new IllegalStateException("" + position))
                                : ends(random.nextInt(3), position));
            }
            Coroutine<Integer> token = ends(random.nextInt(4), -1);
            boolean lazy = random.nextInt(3) == 0;
            boolean orFail = random.nextBoolean();
            Coroutine<?> waiter = spawn(() -> waits(token, lazy, orFail));
            if (random.nextInt(4) == 0) waiter.asHighPriority();
            if (lateCancel) {
                int after = random.nextInt(3);
                spawn(() -> {
                    delay(after);
                    waiter.cancel();
                });
            }
            delay(10);
            check(waiter, token, lateCancel, orFail);
        }

        private void waits(Coroutine<Integer> token, boolean lazy, boolean orFail) {
            Iterable<Coroutine<Integer>> source =
                    lazy ? lazily(members.stream().peek(m -> delay(random.nextInt(2)))) : members;
            try {
                if (orFail) {
                    outcomes =
                            new Outcomes<>(Map.of(), Map.of()); // which ones is not told; their number is checked below
                    List<Integer> values = Async.awaitAnyOfOrFail(wanted, source, token);
                    assertThat(values.size()).as("seed " + seed).isLessThanOrEqualTo(wanted);
                } else {
                    outcomes = Async.awaitAnyOf(wanted, source, token);
                }
            } catch (Throwable e) {
                outcomes = null;
                thrown = e;
                // nothing of that wait may reach the next one
                delay(1);
                return;
            }
            delay(1);
        }

        private void check(Coroutine<?> waiter, Coroutine<Integer> token, boolean cancelled, boolean orFail) {
            String round = "seed " + seed;
            assertThat(waiter.isCompleted()).as(round).isTrue();
            assertThat(isAwaited(token)).as(round).isFalse();
            for (Coroutine<Integer> member : members) {
                assertThat(member.isCompleted()).as(round).isTrue();
                assertThat(isAwaited(member)).as(round).isFalse();
                assertThat(member.exception() instanceof AsyncCancellation)
                        .as(round)
                        .isFalse();
            }
            if (waiter.exception() != null) {
                assertThat(cancelled).as(round).isTrue();
                assertThat(waiter.isCancelled()).as(round).isTrue();
            }
            if (outcomes != null && !orFail) checkOutcomes(round);
            if (thrown instanceof IllegalStateException failure) {
                assertThat(orFail).as(round).isTrue();
                assertThat(members.get(Integer.parseInt(failure.getMessage())).exception())
                        .as(round)
                        .isSameAs(failure);
            } else if (thrown != null) {
                assertThat(thrown).as(round).isInstanceOf(AsyncCancellation.class);
            }
        }

        private void checkOutcomes(String round) {
            int successes = outcomes.results().size();
            int ended = successes + outcomes.errors().size();
            assertThat(successes).as(round).isLessThanOrEqualTo(wanted);
            assertThat(successes == wanted || ended == members.size()).as(round).isTrue();
            outcomes.results().forEach((key, value) -> {
                assertThat(value).as(round).isEqualTo(key);
                assertThat(await(members.get(key))).as(round).isEqualTo(value);
            });
            outcomes.errors()
                    .forEach((key, error) ->
                            assertThat(members.get(key).exception()).as(round).isSameAs(error));
        }
    }
}
