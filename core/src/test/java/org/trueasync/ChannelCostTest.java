package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/** What a value costs: switches, which can be counted, and allocation. */
class ChannelCostTest {
    private static final int VALUES = 1_000;

    private static RuntimeStats passing(int capacity, int values) {
        var channel = new Channel<String>(capacity);
        Coroutine<?> consumer = spawn(() -> {
            for (int i = 0; i < values; i++) channel.receive();
        });
        suspend();
        return TestRuntime.counting(() -> {
            for (int i = 0; i < values; i++) channel.send("value");
            await(consumer);
        });
    }

    @Test
    @Tag("Ch3")
    void meeting_costsOneSwitchAValue() {
        TestRuntime.run(() -> {
            RuntimeStats stats = passing(0, VALUES);
            assertThat(stats.directSwitches()).isBetween((long) VALUES - 2, (long) VALUES + 2);
            assertThat(stats.schedulerSwitches()).isLessThanOrEqualTo(1);
        });
    }

    @Test
    @Tag("Ch2")
    void buffer_costsTwoSwitchesABufferful() {
        TestRuntime.run(() -> {
            RuntimeStats stats = passing(64, 64 * 100);
            assertThat(stats.directSwitches()).isLessThanOrEqualTo(2 * 100 + 2);
            assertThat(stats.schedulerSwitches()).isLessThanOrEqualTo(1);
        });
    }

    @Test
    @Tag("Ch7")
    void steadyState_allocatesNothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long loop = Thread.currentThread().threadId();
        for (int capacity : new int[] {0, 64}) {
            double[] least = {Double.MAX_VALUE};
            Async.runtime().reactor(VirtualReactor::new).run(() -> {
                var channel = new Channel<String>(capacity);
                Coroutine<?> consumer = spawn(() -> {
                    for (; ; ) channel.receive();
                });
                for (int round = 0; round < 20; round++) {
                    long before = threads.getThreadAllocatedBytes(loop);
                    for (int i = 0; i < 5_000; i++) channel.send("value");
                    double each = (threads.getThreadAllocatedBytes(loop) - before) / 5_000.0;
                    least[0] = Math.min(least[0], each);
                }
                consumer.cancel();
            });
            // the JVM's own compiling allocates here and there; one object for each value would be 16 bytes at least
            assertThat(least[0])
                    .as("bytes for each value, capacity " + capacity)
                    .isLessThan(4);
        }
    }
}
