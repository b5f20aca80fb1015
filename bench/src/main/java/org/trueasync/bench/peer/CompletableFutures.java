package org.trueasync.bench.peer;

import java.util.concurrent.CompletableFuture;
import org.trueasync.bench.workload.AwaitMany;

/** {@link CompletableFuture#allOf}; nobody is suspended, no coroutine takes part. */
public final class CompletableFutures implements AwaitMany {

    @Override
    public long awaitAll(int count, int rounds) {
        long awaited = 0;
        for (int round = 0; round < rounds; round++) {
            var all = new CompletableFuture<?>[count];
            for (int i = 0; i < count; i++) {
                all[i] = new CompletableFuture<>();
            }
            CompletableFuture<Void> together = CompletableFuture.allOf(all);
            for (CompletableFuture<?> one : all) {
                one.complete(null);
            }
            together.join();
            awaited += count;
        }
        return awaited;
    }

    @Override
    public long sharedToken(int count, int rounds) {
        throw new UnsupportedOperationException("a CompletableFuture knows no token");
    }
}
