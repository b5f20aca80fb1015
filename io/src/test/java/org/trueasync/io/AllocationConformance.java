package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.io.Runs.Pair;

/**
 * In a steady state nothing is allocated. Each measurement is repeated, and the least counts: the JVM's own compiling
 * allocates here and there.
 */
@Tag("deep")
public abstract class AllocationConformance {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 10;

    private interface Operation {
        void times(int count);
    }

    /** The bytes that the loop thread allocates for each, at best. Called in a coroutine. */
    private static double bytesPer(long loopThread, int count, int warmUp, Operation operation) {
        operation.times(warmUp);
        double[] each = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getThreadAllocatedBytes(loopThread);
            operation.times(count);
            each[round] = (double) (THREADS.getThreadAllocatedBytes(loopThread) - before) / count;
        }
        return Arrays.stream(each).min().orElseThrow();
    }

    private static double measured(int count, int warmUp, Operation operation) {
        long thread = Thread.currentThread().threadId();
        double[] result = new double[1];
        Runs.run(() -> result[0] = bytesPer(thread, count, warmUp, operation));
        return result[0];
    }

    @Test
    void suspendAndResume_allocateNothing() {
        double bytes = measured(20_000, 100_000, count -> {
            Coroutine<?> other = Async.spawn(() -> {
                for (int i = 0; i < count; i++) Async.suspend();
            });
            for (int i = 0; i < count; i++) Async.suspend();
            Async.await(other);
        });
        assertThat(bytes).isLessThan(4);
    }

    @Test
    void delay_allocatesNothing() {
        long thread = Thread.currentThread().threadId();
        double[] result = new double[1];
        Runs.run(() -> {
            // many at once, as a timer's resolution is a millisecond
            boolean[] stop = {false};
            long[] delays = {0};
            var all = new ArrayList<Coroutine<?>>();
            for (int k = 0; k < 200; k++) {
                all.add(Async.spawn(() -> {
                    while (!stop[0]) {
                        Async.delay(1);
                        delays[0]++;
                    }
                }));
            }
            result[0] = bytesPer(thread, 5_000, 60_000, count -> {
                long end = delays[0] + count;
                while (delays[0] < end) Async.delay(1);
            });
            stop[0] = true;
            for (Coroutine<?> one : all) Async.await(one);
        });
        assertThat(result[0]).isLessThan(4);
    }

    @Test
    void echoedMessage_allocatesNothing() {
        long thread = Thread.currentThread().threadId();
        double[] result = new double[1];
        Runs.run(() -> {
            try (Pair pair = Pair.open()) {
                Async.spawn(() -> Runs.echo(pair.peer()));
                ByteBuffer message = ByteBuffer.allocate(64);
                ByteBuffer into = ByteBuffer.allocate(64);
                result[0] = bytesPer(thread, 5_000, 60_000, count -> {
                    for (int i = 0; i < count; i++) {
                        pair.client().write(message.clear());
                        into.clear();
                        while (into.hasRemaining()) pair.client().read(into);
                    }
                });
            }
        });
        assertThat(result[0]).isLessThan(8);
    }

    @Test
    void awaitOfSomethingDone_allocatesNothing() {
        long thread = Thread.currentThread().threadId();
        double[] result = new double[1];
        Runs.run(() -> {
            Coroutine<String> done = Async.spawn(() -> "done");
            Async.await(done);
            result[0] = bytesPer(thread, 100_000, 100_000, count -> {
                for (int i = 0; i < count; i++) Async.await(done);
            });
        });
        assertThat(result[0]).isLessThan(0.5);
    }
}
