package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A class initialiser on its stack keeps a coroutine from leaving the thread. */
class PinnedTest {
    private static final List<Throwable> SEEN = new ArrayList<>();

    private static void attempt(Body wait) {
        try {
            wait.run();
        } catch (Throwable e) {
            SEEN.add(e);
        }
    }

    private static final class SuspendsWhenInitialised {
        static final int VALUE;

        static {
            attempt(Async::suspend);
            VALUE = SEEN.size();
        }
    }

    private static final class DelaysWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> delay(10));
            VALUE = SEEN.size();
        }
    }

    private static final class AwaitsWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> await(spawn(() -> 1)));
            VALUE = SEEN.size();
        }
    }

    private static final class SleepsWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> Thread.sleep(2));
            VALUE = 1;
        }
    }

    private static void inAnInitialiser(String name, Supplier<Integer> initialise) {
        SEEN.clear();
        TestRuntime.run(() -> {
            int[] peer = new int[1];
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    peer[0]++;
                    suspend();
                }
            });
            Coroutine<Integer> c = spawn(initialise::get);
            assertThat(await(c)).isEqualTo(1);
            assertThat(SEEN)
                    .singleElement()
                    .isInstanceOf(AsyncException.class)
                    .asString()
                    .contains("pinned", name, "PinnedTest.java");
            await(other);
            assertThat(peer[0]).isEqualTo(3);
            delay(20);
            RuntimeStats stats = runtimeStats();
            assertThat(stats.coroutines()).isEqualTo(1);
            assertThat(stats.timers()).isZero();
            assertThat(stats.activeEvents()).isZero();
            assertThat(stats.queued()).isZero();
        });
    }

    @Test
    void suspendInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("SuspendsWhenInitialised", () -> SuspendsWhenInitialised.VALUE);
    }

    @Test
    void delayInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("DelaysWhenInitialised", () -> DelaysWhenInitialised.VALUE);
    }

    @Test
    void awaitInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("AwaitsWhenInitialised", () -> AwaitsWhenInitialised.VALUE);
    }

    @Test
    void jdkBlockingInAnInitialiser_blocksTheLoopAndGoesOn() {
        SEEN.clear();
        TestRuntime.run(() -> {
            assertThat(await(spawn(() -> SleepsWhenInitialised.VALUE))).isEqualTo(1);
            assertThat(SEEN).isEmpty();
        });
    }

    private static final class EndsItsInitialiserBadly {
        static final int VALUE = compute();

        private static int compute() {
            delay(10);
            return 1;
        }
    }

    @Test
    void refusedWaitThatLeavesTheInitialiser_isTheCauseOfItsError() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> EndsItsInitialiserBadly.VALUE);
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(ExceptionInInitializerError.class)
                    .hasCauseInstanceOf(AsyncException.class);
            delay(20);
        });
    }
}
