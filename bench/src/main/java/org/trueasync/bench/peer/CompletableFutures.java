package org.trueasync.bench.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.trueasync.bench.workload.AwaitMany;
import org.trueasync.bench.workload.Owned;

/** {@link CompletableFuture#allOf} on one thread. Nothing is suspended, and no coroutine takes part. */
public final class CompletableFutures implements AwaitMany, Owned {

    @Override
    public long awaitAll(int count, int rounds) {
        long awaited = 0;
        for (int round = 0; round < rounds; round++) {
            var all = new CompletableFuture<?>[count];
            for (int i = 0; i < count; i++) {
                all[i] = new CompletableFuture<>();
            }
            CompletableFuture<Void> together = CompletableFuture.allOf(all);
            for (CompletableFuture<?> future : all) {
                future.complete(null);
            }
            together.join();
            awaited += count;
        }
        return awaited;
    }

    /** The tasks go through a queue of the same thread. */
    @Override
    public long group(int count, int rounds) {
        long ran = 0;
        for (int round = 0; round < rounds; round++) {
            var queue = new ArrayDeque<Runnable>();
            var all = new CompletableFuture<?>[count];
            for (int i = 0; i < count; i++) {
                int value = i;
                all[i] = CompletableFuture.supplyAsync(() -> value, queue::add);
            }
            CompletableFuture<Void> together = CompletableFuture.allOf(all);
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
                task.run();
            }
            together.join();
            var values = new ArrayList<Object>(count);
            for (CompletableFuture<?> future : all) {
                values.add(future.join());
            }
            ran += values.size();
        }
        return ran;
    }

    @Override
    public long scope(int count, int rounds) {
        throw new UnsupportedOperationException("a CompletableFuture knows no scope");
    }

    @Override
    public long sharedToken(int count, int rounds) {
        throw new UnsupportedOperationException("a CompletableFuture knows no token");
    }
}
