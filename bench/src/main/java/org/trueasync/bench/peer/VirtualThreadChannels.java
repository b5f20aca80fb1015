package org.trueasync.bench.peer;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import org.trueasync.bench.workload.Channels;
import org.trueasync.bench.workload.Checker;

/**
 * The JDK's queues on its virtual threads: {@code SynchronousQueue} without a buffer, {@code ArrayBlockingQueue} with
 * one.
 */
public final class VirtualThreadChannels implements Channels {

    @Override
    public long rendezvous(int items) {
        return through(new SynchronousQueue<>(), items);
    }

    @Override
    public long buffered(int items, int capacity) {
        return through(new ArrayBlockingQueue<>(capacity), items);
    }

    private static long through(BlockingQueue<Integer> queue, int items) {
        var checker = new Checker();
        OneCarrier.run(
                () -> {
                    for (int i = 0; i < items; i++) checker.take(queue.take());
                },
                () -> {
                    for (int i = 0; i < items; i++) queue.put(Boxed.of(i));
                });
        return checker.count();
    }

    @Override
    public long pingPong(int items) {
        var checker = new Checker();
        var there = new SynchronousQueue<Integer>();
        var back = new SynchronousQueue<Integer>();
        OneCarrier.run(
                () -> {
                    for (int i = 0; i < items; i += 2) {
                        checker.take(there.take());
                        back.put(Boxed.of(i + 1));
                    }
                },
                () -> {
                    for (int i = 0; i < items; i += 2) {
                        there.put(Boxed.of(i));
                        checker.take(back.take());
                    }
                });
        return checker.count();
    }
}
