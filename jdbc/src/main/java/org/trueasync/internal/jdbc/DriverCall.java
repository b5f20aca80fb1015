package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ForeignCall;
import org.trueasync.spi.ForeignCalls;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/**
 * The call of the driver that a coroutine is inside of, on one connection.
 *
 * <p>If a coroutine is cancelled in a statement, the statement is cancelled on the server, so that the work there does
 * not go on and the connection is not lost. Only if the call does not end in time, the coroutine is interrupted, which
 * closes the socket. The driver's own cancel has the same time limit.
 */
final class DriverCall extends EventCallback implements ForeignCall {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final Coroutine<?> owner;
    private final Duration cancelTimeout;

    private @Nullable Statement running;

    /** What is executed, as far as it is known. */
    @Nullable
    String sql;

    private final CancelGate gate = new CancelGate();

    /** The depth of nested calls: more than one if the driver calls something that calls the driver. */
    private int depth;

    private @Nullable CompletableFuture<Boolean> cancelling;

    /** Completed when the call that was cancelled has ended. */
    private @Nullable CompletableFuture<Boolean> callEnd;

    private @Nullable TimerEvent grace;
    private boolean interrupted;

    /** True if the driver has taken a request to cancel the statement. */
    private boolean cancelSent;

    private @Nullable Statement lastCancelled;

    DriverCall(Coroutine<?> owner, Duration cancelTimeout) {
        this.owner = owner;
        this.cancelTimeout = cancelTimeout;
    }

    boolean isUnderWay() {
        return depth > 0;
    }

    /**
     * Begins a call.
     *
     * @param statement what to cancel if its coroutine is cancelled
     * @param start what has to be confirmed before that, if anything
     */
    void begin(@Nullable Statement statement, CancelGate.@Nullable Start start) {
        ForeignCalls.begin(this);
        if (depth++ > 0) return;
        running = statement;
        gate.set(start);
    }

    /**
     * Begins a call that is made even if a cancellation is pending.
     *
     * @param statement what to cancel if the call waits and its coroutine is cancelled
     * @return true if a cancellation is pending
     */
    boolean beginShielded(@Nullable Statement statement) {
        boolean due = ForeignCalls.beginShielded(this);
        if (depth++ == 0) running = statement;
        return due;
    }

    /** See {@link CancelGate#awaitOpen}. */
    boolean awaitMayCancel() throws SQLException {
        return gate.awaitOpen(cancelTimeout);
    }

    /**
     * Returns, once, the statement that the driver was told to cancel in the call that has ended; null if there was
     * none.
     */
    @Nullable
    Statement takeCancelled() {
        Statement cancelled = lastCancelled;
        lastCancelled = null;
        return cancelled;
    }

    /** Ends the call; false if it has left the connection in an unknown state. */
    boolean end() {
        if (depth > 1) {
            depth--;
            return true;
        }
        if (grace != null) {
            grace.removeCallback(this);
            grace.dispose();
            grace = null;
        }
        if (callEnd != null) {
            callEnd.complete(true);
            callEnd = null;
        }
        boolean sound = !interrupted;
        interrupted = false;
        CompletableFuture<Boolean> canceller = cancelling;
        try {
            // The driver's cancel must not hit the next statement of this connection.
            return (canceller == null || endsInTime(canceller)) && sound;
        } finally {
            if (cancelSent) lastCancelled = running;
            cancelSent = false;
            cancelling = null;
            running = null;
            sql = null;
            gate.set(null);
            depth--;
        }
    }

    private boolean endsInTime(CompletableFuture<Boolean> canceller) {
        if (canceller.isDone()) return true;
        try {
            return Async.await(canceller, Async.timeout(cancelTimeout));
        } catch (OperationCanceledException late) {
            return false;
        }
    }

    @Override
    public @Nullable String text() {
        return sql;
    }

    @Override
    public void cancelled() {
        // the time limit begins before anything that may hang
        TimerEvent timer = SchedulerProvider.get().timers().periodic(cancelTimeout);
        timer.setHidden(true);
        timer.addCallback(this);
        timer.start();
        grace = timer;
        Statement statement = running;
        if (statement == null) return;
        var ended = new CompletableFuture<Boolean>();
        callEnd = ended;
        if (!awaitMayCancel(ended)) return;
        cancel(statement::cancel);
        for (Duration pause = FIRST_PAUSE; !endsWithin(ended, pause); pause = pause.multipliedBy(2))
            cancel(() -> ServerRequest.cancel(statement));
    }

    /** Waits until the statement may be cancelled; false if it has ended or was interrupted meanwhile. */
    private boolean awaitMayCancel(CompletableFuture<Boolean> ended) {
        CancelGate.Start start = gate.start();
        while (start != null && !start.isConfirmed()) if (endsWithin(ended, TransactionStart.PAUSE)) return false;
        return !ended.isDone() && !interrupted;
    }

    /**
     * True if the call ends within a pause or was interrupted, so that no further request is needed. The server drops a
     * request that overtakes the statement, so the request has to be repeated.
     */
    private boolean endsWithin(CompletableFuture<Boolean> ended, Duration pause) {
        if (ended.isDone() || interrupted) return true;
        try {
            // a service coroutine may wait only in JDK code
            return ended.get(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
            return interrupted;
        } catch (InterruptedException | ExecutionException shutdown) {
            return true;
        }
    }

    private interface Request {
        void send() throws SQLException;
    }

    private void cancel(Request request) {
        var done = new CompletableFuture<Boolean>();
        cancelling = done;
        try {
            TimedCall.within(cancelTimeout, "cancelling a statement", () -> {
                request.send();
                return true;
            });
            cancelSent = true;
        } catch (SQLException | RuntimeException | LinkageError e) {
            // the interrupt follows when the time is over
        } finally {
            done.complete(true);
        }
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        if (error != null) return;
        interrupted = true;
        ForeignCalls.interrupt(owner);
    }
}
