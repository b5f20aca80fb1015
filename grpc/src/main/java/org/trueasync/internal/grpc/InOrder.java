package org.trueasync.internal.grpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Hands work over to an executor that may have several threads: one after another, in order. Any thread. */
final class InOrder {
    private final Executor executor;
    private final Queue<Runnable> items = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    InOrder(Executor executor) {
        this.executor = executor;
    }

    /** True if nothing is under way or waits. */
    boolean isEmpty() {
        return count.get() == 0;
    }

    /** Returns false if the executor takes no more, so that it is never done. */
    boolean add(Runnable action) {
        items.add(action);
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
            items.remove().run();
        } while (count.decrementAndGet() > 0);
    }
}
