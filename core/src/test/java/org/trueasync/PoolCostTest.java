package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/** What acquire and release cost: switches, which can be counted, and allocation. */
class PoolCostTest {
    @Test
    @Tag("P6")
    void idleResource_costsNoSwitch() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).build();
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 1_000; i++) pool.release(pool.acquire());
            });
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isZero();
        });
    }

    @Test
    @Tag("P11")
    void contendedResource_costsOneSwitchForEachWait() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).max(1).build();
            Object first = pool.acquire();
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 100; i++) users.add(spawn(() -> pool.release(pool.acquire())));
            suspend();
            assertThat(pool.stats().waiting()).isEqualTo(100);
            RuntimeStats stats = TestRuntime.counting(() -> {
                pool.release(first);
                for (Coroutine<?> user : users) await(user);
            });
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isLessThanOrEqualTo(202);
        });
    }

    @Test
    @Tag("P3")
    void steadyState_allocatesNothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long loop = Thread.currentThread().threadId();
        double[] least = {Double.MAX_VALUE};
        Async.runtime().reactor(VirtualReactor::new).run(() -> {
            var pool = Pool.of(Object::new).max(1).build();
            boolean[] on = {true};
            // the one who acquires waits each time
            Coroutine<?> other = spawn(() -> {
                while (on[0]) {
                    Object mine = pool.acquire();
                    suspend();
                    pool.release(mine);
                }
            });
            for (int round = 0; round < 20; round++) {
                long before = threads.getThreadAllocatedBytes(loop);
                for (int i = 0; i < 5_000; i++) {
                    Object mine = pool.acquire();
                    suspend();
                    pool.release(mine);
                }
                least[0] = Math.min(least[0], (threads.getThreadAllocatedBytes(loop) - before) / 5_000.0);
            }
            on[0] = false;
            await(other);
        });
        // the JVM's own compiling allocates here and there; one object for each would be 16 bytes at least
        assertThat(least[0]).as("bytes for each acquire and release").isLessThan(4);
    }
}
