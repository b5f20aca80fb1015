package org.trueasync.bench.peer;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.AwaitDone;

/** {@code join} on a {@link CompletableFuture} that is complete. */
public final class CompletedFuture implements AwaitDone {

    private final CompletableFuture<Object> done = CompletableFuture.completedFuture("done");

    @Override
    public long awaitDone(int count, Blackhole results) {
        for (int i = 0; i < count; i++) {
            results.consume(measured());
        }
        return count;
    }

    private Object measured() {
        return done.join();
    }
}
