package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.DeadlockError;
import org.trueasync.FutureState;
import org.trueasync.jdbc.PooledDataSource;

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
            assertThat(calls.underWay())
                    .as("nothing is kept of a call that was left")
                    .isZero();
            var late = new AtomicBoolean();
            var served = CompletableFuture.supplyAsync(() -> ask(calls, 2, late, Duration.ZERO));
            assertThat(Async.await(served).value()).isEqualTo(2);
            assertThat(late).isTrue();
            assertThat(early).as("served before the other one").isFalse();
        });
    }

    /** A wait of it would end at once, so it could come without end. */
    @Test
    void interruptedThreadAsksForAConnection_refusedAndTheLoopHearsNothing() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:h2:mem:interrupted").build()) {
                OutsideCalls calls = OutsideCalls.ofThisRuntime();
                long spawned = Async.runtimeStats().spawned();
                var refused = CompletableFuture.supplyAsync(() -> refusals(db));
                while (!refused.isDone()) Thread.onSpinWait();
                assertThat(refused.join()).isEqualTo(1_000);
                assertThat(calls.underWay()).isZero();
                for (int i = 0; i < 3; i++) Async.suspend();
                assertThat(Async.runtimeStats().spawned()).isEqualTo(spawned);
            }
        });
    }

    private static int refusals(PooledDataSource db) {
        int refused = 0;
        Thread.currentThread().interrupt();
        for (int i = 0; i < 1_000; i++) {
            try (var _ = db.getConnection()) {
                refused--;
            } catch (SQLException e) {
                if (e.getMessage().contains("was interrupted while it waited for a connection")) refused++;
            }
        }
        return Thread.interrupted() ? refused : -1;
    }

    /** It holds nobody who waits for ever: the calls are the threads' that wait, not work to come. */
    @Test
    void dataSourceIsKnownToOthers_deadlockIsFound() {
        assertThatThrownBy(() -> Async.run(() -> {
                    OutsideCalls calls = OutsideCalls.ofThisRuntime();
                    Async.await(new FutureState<Boolean>().future());
                    calls.underWay();
                }))
                .isInstanceOf(DeadlockError.class);
    }

    @Test
    void callThatTheRunHasNotBegun_failsWithItsEnd() throws Exception {
        OutsideCalls[] calls = new OutsideCalls[1];
        Async.run(() -> {
            calls[0] = OutsideCalls.ofThisRuntime();
        });
        OutsideCall.Outcome<Integer> outcome =
                calls[0].<Integer>call(() -> 1, unwanted -> {}).await(Duration.ZERO);
        assertThat(outcome.error()).isInstanceOfSatisfying(OutsideCall.RunEnded.class, end -> assertThat(end.begun)
                .isFalse());
        assertThat(calls[0].underWay()).isZero();
    }
}
