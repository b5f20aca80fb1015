package org.trueasync.bench.peer;

import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.trueasync.bench.workload.Threads;

/**
 * The JDK's means for platform threads: an executor with two threads, and an {@link ArrayBlockingQueue} between two
 * threads.
 */
public final class PlatformThreads implements Threads {

    @Override
    public long submit(int count, int together) {
        Callable<Integer> task = () -> 1;
        long done = 0;
        try (var executor = Executors.newFixedThreadPool(2)) {
            var futures = new ArrayList<Future<Integer>>(together);
            while (done < count) {
                for (int i = 0; i < together; i++) {
                    futures.add(executor.submit(task));
                }
                for (Future<Integer> future : futures) {
                    done += future.get();
                }
                futures.clear();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return done;
    }

    @Override
    public long exchange(int count, int capacity) {
        var queue = new ArrayBlockingQueue<Integer>(capacity);
        Thread sender = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    queue.put(i);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        long sum = 0;
        try {
            for (int i = 0; i < count; i++) {
                sum += queue.take();
            }
            sender.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return sum;
    }
}
