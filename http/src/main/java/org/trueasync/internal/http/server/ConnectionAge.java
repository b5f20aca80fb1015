package org.trueasync.internal.http.server;

import org.trueasync.Body;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.internal.time.TimerHeap;

/**
 * Ends a connection that is old, as a drain does it for all: it takes no more requests; after the grace, what is still
 * under way is ended; and if that does not end, the connection is closed.
 *
 * <p>Connections that came together, after a restart for instance, should not all end together. So ages differ by up to
 * a tenth either way: the n-th connection gets the fraction of n times the golden ratio, multiples of which are spread
 * more evenly than random numbers (Knuth, The Art of Computer Programming, 6.4), and are the same in each simulation.
 */
final class ConnectionAge extends TimerEntry {
    /** What comes next. */
    private enum Stage {
        RETIRE,
        END,
        CLOSE
    }

    /** A WebSocket waits as long for its peer's close. */
    private static final long CLOSE_NANOS = 5_000_000_000L;

    private static final double GOLDEN_RATIO = 0.618_033_988_749_895;

    private final Connection connection;
    private final TimerHeap timers;
    private Stage next = Stage.RETIRE;

    ConnectionAge(Connection connection) {
        this.connection = connection;
        ServerCore server = connection.server;
        this.timers = server.loop.timers();
        double spread = 0.9 + 0.2 * (server.counters.accepted * GOLDEN_RATIO % 1);
        arm((long) (server.settings.ageNanos * spread));
    }

    private void arm(long nanos) {
        timers.add(this, connection.server.loop.reactor().nanoTime() + nanos);
    }

    @Override
    protected int readAhead() {
        return connection.isClosed() ? 1 : 0;
    }

    @Override
    protected void fire(long now) {
        timers.remove(this);
        ServerCore server = connection.server;
        if (server.scope.isCancelled()) return; // which ends it
        Stage due = next;
        if (due == Stage.RETIRE) {
            next = Stage.END;
            arm(server.settings.ageGraceNanos);
        } else if (due == Stage.END) {
            next = Stage.CLOSE;
            arm(CLOSE_NANOS);
        }
        server.scope.launchFrom("the end of an old connection", (Body) () -> reach(due));
    }

    private void reach(Stage due) {
        if (connection.isClosed()) return;
        switch (due) {
            case RETIRE -> connection.retire();
            case END -> connection.endRequests("the connection has reached its maximum age");
            case CLOSE -> connection.close();
        }
    }

    void close() {
        if (isArmed()) timers.remove(this);
    }
}
