package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.trueasync.AsyncCancellation;
import org.trueasync.Pool;

/**
 * How callers that are no coroutines of its runtime use a data source. They take connections and give them back through
 * a coroutine of that runtime, and use them directly. So only one thread uses the pool, and a thread that waits blocks
 * no other.
 */
final class Outside {
    private final Sessions sessions;
    private final OutsideCalls calls;

    /** The number of users that have a connection or wait for one, and are no coroutines of the pool's runtime. */
    private final AtomicInteger users = new AtomicInteger();

    Outside(Sessions sessions, OutsideCalls calls) {
        this.sessions = sessions;
        this.calls = calls;
    }

    /**
     * True if a thread may end the wait of a coroutine that waits without a limit, so that this wait is no deadlock.
     */
    boolean mayWakeUnlimitedWait() {
        return sessions.settings.connectionTimeout().isZero() && users.get() > 0;
    }

    void userGone() {
        users.decrementAndGet();
    }

    /** Returns a connection for a thread that is no coroutine. */
    Connection connect() throws SQLException {
        if (Callers.isLoopItself()) throw Failures.onLoop(sessions.settings.name());
        String user = Callers.name();
        Throwable taken = sessions.traceIfWatched();
        ThreadLease lease = acquire(
                () -> new ThreadLease(
                        sessions, sessions.acquire(), user, taken == null ? null : sessions.watch(user, taken)),
                unwanted -> {
                    unwanted.endWatch();
                    Physical physical = unwanted.detach();
                    if (physical != null) sessions.giveBack(unwanted, physical);
                });
        return lease.facade();
    }

    /**
     * Takes a connection through the loop; waits for it.
     *
     * @param work in a coroutine of the pool's runtime
     * @param unwanted gives it back if the caller has left
     */
    <T> T acquire(Callable<T> work, Consumer<? super T> unwanted) throws SQLException {
        String name = sessions.settings.name();
        if (calls.isOver()) throw calls.ended(name);
        // It could not wait for the loop. So the loop need not hear of it either, however often it tries again.
        if (Callers.coroutine() == null && Thread.currentThread().isInterrupted())
            throw Failures.interrupted(name, new InterruptedException());
        Duration limit = sessions.settings.connectionTimeout();
        users.incrementAndGet();
        boolean done = false;
        try {
            OutsideCall.Outcome<T> outcome = calls.call(work, unwanted).await(limit);
            if (outcome == null)
                throw Failures.late(name, limit, sessions.pool().stats());
            T value = taken(outcome);
            done = true;
            return value;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.interrupted(name, e);
        } finally {
            if (!done) userGone();
        }
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null only where T allows it
    private <T> T taken(OutsideCall.Outcome<T> outcome) throws SQLException {
        Throwable error = outcome.error();
        if (error == null) return outcome.value();
        String name = sessions.settings.name();
        if (error instanceof AsyncCancellation || error instanceof OutsideCall.RunEnded) throw calls.ended(name);
        // the error has the frames of the loop; this one shows the caller's
        error.addSuppressed(new Throwable("asked for by " + Callers.name()));
        throw Failures.sneaky(error);
    }

    /**
     * Gives a connection back, and waits until it is clean, at most for the validation timeout: a caller of
     * {@code close()} expects the transaction to be over then. If the run ends before the work has begun, closes the
     * connection here.
     *
     * @param work in a coroutine of the pool's runtime
     */
    void giveBack(Physical physical, Runnable work) {
        userGone();
        OutsideCall.Outcome<Boolean> outcome = null;
        if (!calls.isOver()) {
            outcome = calls.call(
                            () -> {
                                work.run();
                                return true;
                            },
                            done -> {})
                    .awaitEnd(sessions.settings.validationTimeout());
            if (outcome == null) return;
        }
        Throwable error = outcome == null ? null : outcome.error();
        if (outcome != null && error == null) return;
        if (error == null || (error instanceof OutsideCall.RunEnded end && !end.begun)) physical.closeAfterRun();
        else if (!(error instanceof OutsideCall.RunEnded) && !(error instanceof AsyncCancellation))
            throw Failures.sneaky(error);
    }

    /** Closes the pool, and waits for the end of that, at most for the connection timeout. */
    void close(Pool<?> pool) {
        OutsideCall.Outcome<Boolean> outcome = calls.call(
                        () -> {
                            pool.close();
                            return true;
                        },
                        done -> {})
                .awaitEnd(sessions.settings.connectionTimeout());
        Throwable error = outcome == null ? null : outcome.error();
        if (error instanceof RuntimeException failed) throw failed;
    }
}
