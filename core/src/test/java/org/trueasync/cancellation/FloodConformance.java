package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.testkit.TestRun;

/** Other threads hand over more than the loop can do. */
public abstract class FloodConformance {
    @Test
    @Tag("K62")
    void floodOfTasks_holdsUpNeitherTheOthersNorTheEnd() throws InterruptedException {
        var refused = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        List<String> log = new ArrayList<>();
        var run = new TestRun(PendingCancellationConformance::reactor)
                .drainTimeout(Duration.ofMillis(200)) // the flood does not end by itself
                .shutdownTimeout(Duration.ofMillis(200));
        run.timeLimit(Duration.ofSeconds(60)).run(() -> {
            Executor executor = executor();
            for (int i = 0; i < 2; i++)
                threads.add(Thread.ofPlatform().daemon().start(() -> {
                    try {
                        while (true)
                            executor.execute(() -> {
                                suspend();
                                suspend();
                            });
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                }));
            for (int i = 0; i < 2; i++) {
                delay(1);
                log.add("turn");
            }
            gracefulShutdown();
        });
        for (Thread thread : threads) thread.join(20_000);
        assertThat(log).hasSize(2);
        assertThat(refused).hasValue(2);
    }
}
