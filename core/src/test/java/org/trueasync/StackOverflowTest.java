package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.TestRuntime;

class StackOverflowTest {
    private static int recurse(int n) {
        return n == Integer.MIN_VALUE ? 0 : 1 + recurse(n + 1);
    }

    /**
     * Recurses to the very end of the stack, then tries to wait at each level on the way back until a wait succeeds.
     */
    private static int waitNearTheEnd(int n, Body wait, int[] failed) {
        try {
            return 1 + waitNearTheEnd(n + 1, wait, failed);
        } catch (StackOverflowError e) {
            if (failed[0] < 0) throw e;
            try {
                wait.run();
                failed[0] = -1 - failed[0];
            } catch (StackOverflowError again) {
                failed[0]++;
                throw again;
            } catch (Throwable other) {
                throw new AssertionError(other);
            }
            throw e;
        }
    }

    @Test
    @Tag("K67")
    void overflowInACoroutine_reachesItsAwaiterAndTheOthersGoOn() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<Integer> deep = spawn(() -> recurse(0));
            Coroutine<?> peer = spawn(() -> {
                delay(1);
                log.add("peer");
            });
            assertThatThrownBy(() -> await(deep)).isInstanceOf(StackOverflowError.class);
            await(peer);
            assertThat(log).containsExactly("peer");
        });
    }

    @Test
    @Tag("K67")
    @Tag("F55")
    void overflow_skipsUserHandlersButTellsWaitersAndReleasesEverything() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<Integer> deep = spawn(() -> recurse(0));
            deep.onFinally(c -> log.add("user handler"));
            Coroutine<?> first =
                    spawn(() -> assertThatThrownBy(() -> await(deep)).isInstanceOf(StackOverflowError.class));
            Coroutine<?> second =
                    spawn(() -> assertThatThrownBy(() -> await(deep)).isInstanceOf(StackOverflowError.class));
            await(first);
            await(second);
            assertThat(deep.isCompleted()).isTrue();
            assertThat(Async.coroutines()).hasSize(1);
            assertThat(runtimeStats().coroutines()).isEqualTo(1);
        });
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("K67")
    void overflowNobodyAwaits_isWhatRunThrowsAndNothingElseIsReported() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> spawn(() -> recurse(0)));
        assertThat(thrown).isInstanceOf(StackOverflowError.class).hasNoCause();
        assertThat(runtime.reports()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"suspend", "delay", "await"})
    @Tag("K67")
    @Tag("F55")
    @Tag("deep")
    void overflowInTheMiddleOfAWait_leavesTheSchedulerWhole(String kind) {
        int attempts = kind.equals("await") ? 3 : 6;
        TestRuntime.run(runtime -> {
            Body wait =
                    switch (kind) {
                        case "suspend" -> Async::suspend;
                        case "delay" -> () -> delay(1);
                        default -> () -> await(spawn(() -> 1), Async.timeout(10));
                    };
            int[] rounds = new int[1];
            boolean[] stop = new boolean[1];
            Coroutine<?> peer = spawn(() -> {
                while (!stop[0]) {
                    rounds[0]++;
                    runtime.reactor().advance(100_000);
                    suspend();
                }
            });
            wait.run();
            for (int i = 0; i < attempts; i++) {
                int[] failed = new int[1];
                Coroutine<Integer> deep = spawn(() -> waitNearTheEnd(0, wait, failed));
                assertThatThrownBy(() -> await(deep)).isInstanceOf(StackOverflowError.class);
                assertThat(failed[0]).as("a wait succeeded in the end").isNegative();
                int before = rounds[0];
                suspend();
                suspend();
                assertThat(rounds[0]).as("the peer goes on").isGreaterThan(before);
            }
            delay(20);
            stop[0] = true;
            await(peer);
            RuntimeStats stats = runtimeStats();
            assertThat(stats.coroutines()).isEqualTo(1);
            assertThat(stats.queued()).isZero();
            assertThat(stats.timers()).isZero();
            assertThat(stats.activeEvents()).isZero();
        });
    }

    @Test
    @Tag("K2")
    void recursionThatWaitsAtEveryLevel_isBoundByTheHeapAndNotByTheStack() {
        TestRuntime.run(() -> {
            Coroutine<?> peer = spawn(() -> {
                while (true) suspend();
            });
            Coroutine<Integer> deep = spawn(() -> suspendAtEveryLevel(100_000));
            assertThat(await(deep)).isEqualTo(100_000);
            peer.cancel();
        });
    }

    private static int suspendAtEveryLevel(int levels) {
        suspend();
        return levels == 0 ? 0 : 1 + suspendAtEveryLevel(levels - 1);
    }

    @Test
    @Tag("K67")
    void overflowCaught_theCoroutineGoesOn() {
        TestRuntime.run(() -> {
            Coroutine<String> c = spawn(() -> {
                try {
                    recurse(0);
                } catch (StackOverflowError e) {
                    delay(1);
                    return "went on";
                }
                return "no overflow";
            });
            assertThat(await(c)).isEqualTo("went on");
        });
    }
}
