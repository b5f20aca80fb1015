package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ForeignCall;
import org.trueasync.spi.ForeignCalls;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/**
 * A call of the driver that has a time limit, and that a user does not make: to connect, check, clean, close or cancel.
 * If its coroutine is cancelled or the time runs out, the call is interrupted, which costs the connection.
 */
final class TimedCall extends EventCallback implements ForeignCall {
    private final Coroutine<?> self = Async.currentCoroutine();
    private boolean late;
    private boolean interrupted;

    private TimedCall() {}

    /** Calls of the driver. */
    interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * Runs the work.
     *
     * @param limit zero for none
     * @param what for the message
     * @param work may wait
     * @throws SQLTransientConnectionException if the work failed with an {@link SQLException} after the limit
     */
    static <T> T within(Duration limit, String what, Work<T> work) throws SQLException {
        var call = new TimedCall();
        ForeignCalls.begin(call);
        return call.run(limit, what, work);
    }

    /**
     * As {@link #within}, for what must be whole: fails if it was interrupted, even if the work hides that.
     *
     * @throws SQLTransientConnectionException also if it was interrupted
     */
    static void wholly(Duration limit, String what, Work<?> work) throws SQLException {
        var call = new TimedCall();
        ForeignCalls.begin(call);
        call.run(limit, what, work);
        if (call.interrupted) throw new SQLTransientConnectionException(what + " was interrupted", "08001");
    }

    /**
     * As {@link #within}, for a close: it is begun even if a cancellation is pending, as nobody else would close. Only
     * a wait in it is interrupted then.
     */
    static void closing(Duration limit, String what, Work<?> work) throws SQLException {
        var call = new TimedCall();
        ForeignCalls.beginShielded(call);
        call.run(limit, what, work);
    }

    private <T> T run(Duration limit, String what, Work<T> work) throws SQLException {
        TimerEvent timer = limit.isZero() ? null : startTimer(limit);
        T value = null;
        Throwable thrown = null;
        try {
            value = work.run();
        } catch (Throwable e) {
            thrown = e;
        }
        // stopped and not disposed of, which would make an error, with its trace, for the callback
        if (timer != null) timer.stop();
        thrown = ForeignCalls.end(thrown);
        if (thrown == null) return finished(value);
        if (late && thrown instanceof SQLException)
            throw new SQLTransientConnectionException(what + " took longer than " + limit, "08001", thrown);
        throw Failures.sneaky(thrown);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null only where T allows it
    private static <T> T finished(@Nullable T value) {
        return value;
    }

    private TimerEvent startTimer(Duration limit) {
        TimerEvent timer = SchedulerProvider.get().timers().periodic(limit);
        timer.setHidden(true);
        timer.addCallback(this);
        timer.start();
        return timer;
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        late = true;
        interrupt();
    }

    @Override
    public void cancelled() {
        interrupt();
    }

    private void interrupt() {
        interrupted = true;
        ForeignCalls.interrupt(self);
    }
}
