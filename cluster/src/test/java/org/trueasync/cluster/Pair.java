package org.trueasync.cluster;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;
import org.trueasync.internal.testkit.FreePort;

/**
 * Two members in this process, on one loop, for all tests of a class: to form a cluster takes longer than to use it.
 */
final class Pair implements AutoCloseable {
    /** What a test does in a coroutine. */
    interface Act {
        void run(Cluster one, Cluster other) throws Throwable;
    }

    private final AsyncRuntime runtime = Async.runtime().name("pair").build();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> stop = new CompletableFuture<>();
    private final Thread thread = Thread.ofPlatform().name("pair").unstarted(this::run);
    private Cluster one;
    private Cluster other;

    static Pair start() throws Exception {
        var pair = new Pair();
        pair.thread.start();
        pair.ready.get(90, TimeUnit.SECONDS);
        return pair;
    }

    private void run() {
        try {
            runtime.run(() -> {
                int first = FreePort.any();
                int second = FreePort.any();
                ClusterConfig.Builder config = ClusterConfig.builder()
                        .name("pair-" + first)
                        .allow("org.trueasync.cluster.")
                        .members("127.0.0.1:" + first, "127.0.0.1:" + second);
                try (var a = Cluster.join(config.port(first).build());
                        var b = Cluster.join(config.port(second).build())) {
                    one = a;
                    other = b;
                    Waiting.until(
                            "two members",
                            () -> a.members().size() == 2 && b.members().size() == 2);
                    ready.complete(true);
                    Async.await(stop);
                }
                return null;
            });
        } catch (Throwable e) {
            ready.completeExceptionally(e);
        }
    }

    /** Runs a test in a coroutine; what it throws is thrown here. */
    void test(Act act) throws Exception {
        try {
            runtime.submit(() -> Async.withTimeout(Duration.ofSeconds(60), () -> {
                        try {
                            act.run(one, other);
                        } catch (Exception | Error e) {
                            throw e;
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                        return null;
                    }))
                    .get(90, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) throw error;
            throw e;
        }
    }

    @Override
    public void close() throws Exception {
        stop.complete(true);
        thread.join(30_000);
        if (thread.isAlive()) throw new AssertionError("the run does not end:\n" + runtime.dump());
    }
}
