package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.TimerEvent;

/**
 * The lease of a thread that is no coroutine. As with any driver, several threads and coroutines may use the
 * connection, one call at a time. A call blocks its caller; an interrupt has the effect that it has in the driver, and
 * no cancellation reaches the call.
 */
final class ThreadLease extends Lease {
    private final String user;
    private final Connection facade;
    private final ReentrantLock turn = new ReentrantLock();
    private final CancelGate gate = new CancelGate();

    /** Used on the loop only. */
    private final @Nullable TimerEvent leakWatch;

    /**
     * Begins a lease. On the loop.
     *
     * @param user for messages
     * @param leakWatch disposed of when the connection is back
     */
    ThreadLease(Sessions sessions, Physical physical, String user, @Nullable TimerEvent leakWatch) {
        super(sessions, physical);
        this.user = user;
        this.leakWatch = leakWatch;
        this.facade = HandleClass.connection(this, physical.driver);
    }

    @Override
    Connection facade() {
        return facade;
    }

    @Override
    void begin(Object handle, @Nullable Statement statement) throws SQLException {
        enter(handle, statement);
    }

    @Override
    boolean beginShielded(Object handle, @Nullable Statement statement) throws SQLException {
        enter(handle, null);
        return false;
    }

    private void enter(Object handle, @Nullable Statement statement) throws SQLException {
        turn.lock();
        try {
            Physical physical = physical(handle);
            if (turn.getHoldCount() == 1) gate.set(startOf(statement, physical));
            noteCall();
        } catch (Throwable e) {
            turn.unlock();
            throw e;
        }
    }

    @Override
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        try {
            if (thrown != null) markIfBroken(thrown);
            if (turn.getHoldCount() == 1) gate.set(null);
        } finally {
            turn.unlock();
        }
        return thrown;
    }

    @Override
    void cancel(Statement statement) throws SQLException {
        if (gate.awaitOpen(sessions.settings.validationTimeout())) statement.cancel();
    }

    @Override
    void requireMayClose() {}

    @Override
    void requireOwner() {}

    @Override
    void opened(Handle handle) {
        turn.lock();
        try {
            super.opened(handle);
        } finally {
            turn.unlock();
        }
    }

    @Override
    void giveBackIfDone() {}

    /** Gives the connection back, after a call that is under way on another thread. */
    @Override
    void giveBack() {
        Physical p;
        turn.lock();
        try {
            p = detach();
        } finally {
            turn.unlock();
        }
        if (p != null) sessions.giveBackOfThread(this, p);
    }

    /** Ends the leak watch, as the connection is back. On the loop. */
    void endWatch() {
        if (leakWatch != null) leakWatch.stop();
    }

    @Override
    public String toString() {
        return "connection of " + user;
    }
}
