package org.trueasync.internal.grpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.trueasync.Async;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * What is done on the loop of a call, in the order in which it was asked for. A coroutine of the loop does it itself,
 * and waits in it. Other threads hand it over, and do not wait: what they hand over is counted.
 */
final class Outbox {
    private record Item(int bytes, Runnable action) {}

    private final Loop loop = Runtimes.here("a gRPC call");
    private final Executor executor = Async.executor();
    private final Queue<Item> items = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Does something on the loop.
     *
     * @return false if the run has ended, so that it is never done
     */
    boolean run(int size, Runnable action) {
        if (count.get() == 0 && Runtimes.hereOrNull() == loop) {
            action.run();
            return true;
        }
        bytes.addAndGet(size);
        items.add(new Item(size, action));
        if (count.getAndIncrement() > 0) return true;
        try {
            executor.execute(this::runAll);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void runAll() {
        do {
            Item item = items.remove();
            try {
                item.action.run();
            } finally {
                bytes.addAndGet(-item.bytes);
            }
        } while (count.decrementAndGet() > 0);
    }

    /** Bytes that were handed over and not sent yet. */
    long waiting() {
        return bytes.get();
    }
}
