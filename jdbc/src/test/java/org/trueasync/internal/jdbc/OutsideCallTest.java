package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;

@Timeout(100)
class OutsideCallTest {
    /** What a thread gets for a call; null if it has left. */
    private static <T> OutsideCall.Outcome<T> ask(OutsideCalls calls, T value, AtomicBoolean worked, Duration limit) {
        try {
            return calls.call(
                            () -> {
                                worked.set(true);
                                return value;
                            },
                            unwanted -> {})
                    .await(limit);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void callerLeavesBeforeTheCallIsServed_nothingIsDone() {
        Async.run(() -> {
            OutsideCalls calls = OutsideCalls.ofThisRuntime();
            var early = new AtomicBoolean();
            var left = CompletableFuture.supplyAsync(() -> ask(calls, 1, early, Duration.ofMillis(1)) == null);
            while (!left.isDone()) Thread.onSpinWait(); // holds the loop until the caller has left
            assertThat(left.join()).isTrue();
            var late = new AtomicBoolean();
            var served = CompletableFuture.supplyAsync(() -> ask(calls, 2, late, Duration.ZERO));
            assertThat(Async.await(served).value()).isEqualTo(2);
            assertThat(late).isTrue();
            assertThat(early).as("served before the other one").isFalse();
        });
    }
}
