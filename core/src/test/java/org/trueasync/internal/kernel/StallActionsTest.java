package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.DeadlockError;
import org.trueasync.FutureState;
import org.trueasync.internal.testkit.TestRuntime;

/** What runs when nothing else in a run can make progress, before it is taken for a deadlock. */
class StallActionsTest {
    private final List<String> log = new ArrayList<>();

    private final class Logs extends StallActions.Action {
        private final String name;
        private final Body then;

        Logs(String name, Body then) {
            this.name = name;
            this.then = then;
        }

        @Override
        protected void stalled() {
            log.add(name);
            try {
                then.run();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private Logs logs(String name) {
        return new Logs(name, () -> {});
    }

    private static StallActions actions() {
        return Runtimes.here("the test").stallActions();
    }

    /** Waits for what nobody completes. */
    private void standsStill() {
        try {
            await(new FutureState<>().future());
        } catch (AsyncCancellation e) {
            log.add("deadlock");
        }
    }

    @Test
    void eachRunsOnceInTheOrderOfRegistration_thenItIsADeadlock() {
        assertThat(TestRuntime.failureOf(() -> {
                    var first = logs("first");
                    actions().add(first);
                    actions().add(logs("second"));
                    actions().add(first);
                    standsStill();
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("first", "second", "deadlock");
    }

    @Test
    void lastOnes_runWhenTheOthersHaveHelpedNobody() {
        assertThat(TestRuntime.failureOf(() -> {
                    var last = logs("last");
                    actions().addLast(last);
                    actions().addLast(logs("very last"));
                    actions().addLast(last);
                    actions().add(logs("ordinary"));
                    standsStill();
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("ordinary", "last", "very last", "deadlock");
    }

    @Test
    void oneThatWakesSomebody_sparesTheLastOnesAndThereIsNoDeadlock() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            actions().add(new Logs("wakes", () -> state.complete("woken")));
            actions().addLast(logs("last"));
            assertThat(await(state.future())).isEqualTo("woken");
            log.add("goes on");
        });
        assertThat(log).containsExactly("wakes", "goes on");
    }

    @Test
    void removed_runsNoMore() {
        assertThat(TestRuntime.failureOf(() -> {
                    var ordinary = logs("ordinary");
                    var last = logs("last");
                    actions().add(ordinary);
                    actions().addLast(last);
                    var other = logs("other");
                    actions().add(new Logs("removes", () -> actions().remove(other)));
                    actions().add(other);
                    actions().remove(ordinary);
                    actions().remove(last);
                    actions().remove(last);
                    standsStill();
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("removes", "deadlock");
    }

    @Test
    void registeredDuringTheRound_waitsForTheNextOne() {
        assertThat(TestRuntime.failureOf(() -> {
                    actions().add(new Logs("first", () -> actions().add(logs("late"))));
                    actions().add(logs("second"));
                    standsStill();
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("first", "second", "late", "deadlock");
    }

    @Test
    void registeredDuringTheRound_waitsForTheNextOneAlsoIfTheLastOfTheRoundIsRemoved() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            var second = logs("second");
            actions().add(new Logs("first", () -> {
                actions().add(logs("late"));
                actions().remove(second);
                state.complete("woken");
            }));
            actions().add(second);
            await(state.future());
            log.add("goes on");
        });
        assertThat(log).containsExactly("first", "goes on");
    }

    @Test
    void registeredAgainAfterItHasRun_runsAgain() {
        TestRuntime.run(() -> {
            var states = List.of(new FutureState<Integer>(), new FutureState<Integer>());
            int[] round = {0};
            var again = new Logs("stalled", () -> states.get(round[0]).complete(round[0]));
            for (; round[0] < 2; round[0]++) {
                actions().add(again);
                assertThat(await(states.get(round[0]).future())).isEqualTo(round[0]);
            }
        });
        assertThat(log).containsExactly("stalled", "stalled");
    }

    @Test
    void allOfARoundRun_beforeWhoeverTheFirstOneWakes() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            actions().add(new Logs("wakes", () -> state.complete("woken")));
            actions().add(logs("second"));
            await(state.future());
            log.add("goes on");
        });
        assertThat(log).containsExactly("wakes", "second", "goes on");
    }
}
