package org.trueasync.internal.http.server;

import org.trueasync.Body;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.internal.time.TimerHeap;

/**
 * Until when a connection waits for its peer, and for what. There is one timer for all of it, which is moved only when
 * it is due or too late.
 */
final class PeerDeadline {
    /** What the peer is waited for. */
    enum Phase {
        IDLE,
        HEAD,
        HANDLING,
        WRITING,
        LINGER
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final Connection connection;
    private final CoroutineScope scope;
    private final TimerHeap timers;
    private Phase phase = Phase.IDLE;
    private long deadline;
    /** When the timer fires, if it is armed: at the deadline or before. */
    private long armedFor;

    private boolean closed;

    private final TimerEntry timer = new TimerEntry() {
        @Override
        protected int readAhead() {
            return closed ? 1 : 0;
        }

        @Override
        protected void fire(long now) {
            timers.remove(this);
            due(now);
        }
    };

    PeerDeadline(Connection connection) {
        this.connection = connection;
        this.scope = connection.server.scope;
        this.timers = connection.server.loop.timers();
    }

    Phase phase() {
        return phase;
    }

    /**
     * Begins to wait.
     *
     * @param nanos for so long; 0 for ever
     */
    void expect(Phase next, long nanos) {
        if (nanos == 0) {
            disarm(next);
            return;
        }
        phase = next;
        deadline = now() + nanos;
        if (!timer.isArmed()) {
            if (!closed) arm();
        } else if (deadline < armedFor) {
            timers.remove(timer);
            arm();
        }
    }

    /** From now on there is no time limit. */
    void disarm(Phase next) {
        phase = next;
        deadline = NEVER;
    }

    private void arm() {
        armedFor = deadline;
        timers.add(timer, deadline);
    }

    private void due(long now) {
        if (closed || deadline == NEVER) return;
        if (deadline <= now && phase == Phase.WRITING && connection.output.isRead())
            deadline = now + connection.server.settings.writeNanos;
        if (deadline > now) arm();
        else if (scope.isCancelled()) connection.close();
        else {
            Phase late = phase;
            scope.launchFrom("a connection's time limit", (Body) () -> expired(late));
        }
    }

    private void expired(Phase late) {
        if (!closed && phase == late && deadline <= now()) connection.expired(late);
    }

    private long now() {
        return connection.server.loop.reactor().nanoTime();
    }

    void close() {
        closed = true;
        if (timer.isArmed()) timers.remove(timer);
    }
}
