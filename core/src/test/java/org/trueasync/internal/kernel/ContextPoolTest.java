package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.queue.IdlePool;
import org.trueasync.internal.testkit.TestRuntime;

class ContextPoolTest {
    private static final long SECOND = 1_000_000_000;

    /** Contexts that never run; their scheduler is that of a runtime that is there only for them. */
    private static void withContexts(int count, java.util.function.Consumer<ArrayList<ExecutionContext>> test) {
        TestRuntime.run(() -> {
            var contexts = new ArrayList<ExecutionContext>();
            for (int i = 0; i < count; i++)
                contexts.add(new ExecutionContext(Runtimes.schedulerHere("the test"), false));
            test.accept(contexts);
        });
    }

    @Test
    @Tag("K27")
    void belowTheMinimum_everyContextIsWanted() {
        withContexts(4, contexts -> {
            var pool = new IdlePool<ExecutionContext>(4, 100);
            for (ExecutionContext context : contexts) {
                assertThat(pool.wants(0)).isTrue();
                pool.add(context);
            }
            assertThat(pool.wants(0)).isFalse();
            assertThat(pool.size()).isEqualTo(4);
        });
    }

    @Test
    @Tag("K27")
    void queueLongerThanThePool_moreAreWantedUpToTheMaximum() {
        withContexts(6, contexts -> {
            var pool = new IdlePool<ExecutionContext>(0, 6);
            for (int i = 0; i < 5; i++) {
                assertThat(pool.wants(10)).isTrue();
                pool.add(contexts.get(i));
            }
            assertThat(pool.wants(4)).isFalse();
            assertThat(pool.wants(10)).isTrue();
            pool.add(contexts.get(5));
            assertThat(pool.wants(10)).as("the maximum").isFalse();
        });
    }

    @Test
    @Tag("K27")
    void lastIn_isTakenFirst() {
        withContexts(2, contexts -> {
            var pool = new IdlePool<ExecutionContext>(4, 4);
            assertThat(pool.take()).isNull();
            contexts.forEach(pool::add);
            assertThat(pool.take()).isSameAs(contexts.get(1));
            assertThat(pool.take()).isSameAs(contexts.get(0));
            assertThat(pool.take()).isNull();
        });
    }

    @Test
    @Tag("K27")
    void surplusOfAWholePeriod_isGivenUpByAndByDownToTheMinimum() {
        withContexts(40, contexts -> {
            var pool = new IdlePool<ExecutionContext>(4, 100);
            contexts.forEach(pool::add);
            long now = 10 * SECOND;
            for (int period = 0; period < 20; period++) {
                now += 2 * SECOND;
                @Nullable ExecutionContext surplus;
                while ((surplus = pool.surplus(now)) != null)
                    assertThat(contexts.remove(surplus)).isTrue();
                assertThat(pool.size()).isEqualTo(contexts.size());
            }
            assertThat(pool.size()).isEqualTo(4);
        });
    }

    @Test
    @Tag("K27")
    void surplusOfAPeriod_isHalfOfWhatWasNeverUsed() {
        withContexts(10, contexts -> {
            var pool = new IdlePool<ExecutionContext>(0, 100);
            contexts.forEach(pool::add);
            assertThat(surplus(pool, 10 * SECOND))
                    .as("nothing is known before the first period")
                    .isZero();
            // of ten at the most three are used at once
            var used = new ArrayList<ExecutionContext>();
            for (int i = 0; i < 3; i++) used.add(pool.take());
            used.forEach(pool::add);
            assertThat(surplus(pool, 11 * SECOND - 1))
                    .as("before the period is over")
                    .isZero();
            assertThat(surplus(pool, 11 * SECOND)).isEqualTo(4);
            assertThat(pool.size()).isEqualTo(6);
            assertThat(surplus(pool, 12 * SECOND - 1))
                    .as("within the next period")
                    .isZero();
            assertThat(surplus(pool, 12 * SECOND))
                    .as("half of the six that are left")
                    .isEqualTo(3);
        });
    }

    private static int surplus(IdlePool<ExecutionContext> pool, long now) {
        int count = 0;
        while (pool.surplus(now) != null) count++;
        return count;
    }

    @Test
    @Tag("K27")
    void oneThatHasBeenIdleLongest_isGivenUpFirst() {
        withContexts(2, contexts -> {
            var pool = new IdlePool<ExecutionContext>(0, 100);
            contexts.forEach(pool::add);
            pool.surplus(10 * SECOND);
            assertThat(pool.surplus(20 * SECOND)).isSameAs(contexts.get(0));
        });
    }

    @Test
    @Tag("K27")
    void asManyIdleAsQueued_oneMoreIsWanted() {
        withContexts(3, contexts -> {
            var pool = new IdlePool<ExecutionContext>(0, 3);
            pool.add(contexts.get(0));
            assertThat(pool.wants(1)).isTrue();
            assertThat(pool.wants(0)).isFalse();
            pool.add(contexts.get(1));
            assertThat(pool.wants(2)).isTrue();
            assertThat(pool.wants(1)).isFalse();
        });
    }

    @Test
    @Tag("K27")
    void contextsThatAreUsedInThePeriod_areNoSurplus() {
        withContexts(10, contexts -> {
            var pool = new IdlePool<ExecutionContext>(0, 100);
            contexts.forEach(pool::add);
            long now = 10 * SECOND;
            while (pool.surplus(now) != null) {
                // the first look begins a period
            }
            int size = pool.size();
            var used = new ArrayList<ExecutionContext>();
            for (int i = 0; i < size; i++) used.add(pool.take());
            used.forEach(pool::add);
            assertThat(pool.surplus(now + 2 * SECOND)).isNull();
            assertThat(pool.size()).isEqualTo(size);
        });
    }

    @Test
    @Tag("K66")
    void endOfTheRun_endsTheIdleThreads() {
        var threads = new ArrayList<Thread>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 4; i++) {
                spawn(() -> {
                    threads.add(Thread.currentThread());
                    org.trueasync.Async.delay(1);
                });
            }
            org.trueasync.Async.delay(5);
            assertThat(runtimeStats().idleContexts()).isEqualTo(4);
            assertThat(threads).allMatch(Thread::isAlive);
        });
        assertThat(threads).hasSize(4).noneMatch(Thread::isAlive);
    }
}
