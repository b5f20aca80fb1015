package org.trueasync.internal.http.h2;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;

/**
 * Who reads. Of the coroutines that wait for something of a client's connection one reads, for all; when it has got
 * what it waits for, or leaves, the one that has waited longest goes on. So no coroutine of the connection's own is
 * needed, which would keep a run alive, and a call that is alone on its connection costs no switch. Loop thread.
 *
 * <p>Invariant: while anybody waits, one of them reads, or has been woken to read.
 */
final class Turns {
    private static final class Turn {
        final Waiters news;
        boolean isGiven;

        Turn(Waiters news) {
            this.news = news;
        }
    }

    private static final Duration ENDLESS = Duration.ofDays(3650);

    private final H2Client connection;
    private final Set<Turn> waiting = new LinkedHashSet<>();
    private boolean taken;
    /** What the one that reads waits for; null if nobody reads. */
    private @Nullable Waiters reader;

    private @Nullable Timeout limit;

    Turns(H2Client connection) {
        this.connection = connection;
    }

    /** True while somebody reads. */
    boolean areTaken() {
        return taken;
    }

    /**
     * Waits until the news have come, and reads if nobody else does. May return without news.
     *
     * @param nanos 0 for ever
     * @throws OperationCanceledException if the time is over first
     */
    void await(Waiters news, long nanos) {
        long end = connection.now() + nanos;
        int seen = news.wakes();
        if (taken) {
            var turn = new Turn(news);
            if (!awaitTurn(turn, nanos)) return;
            seen++; // by the turn; the news may have come just before it
        }
        taken = true;
        reader = news;
        try {
            while (news.wakes() == seen && !connection.isFinishing()) {
                limit = Async.timeout(nanos == 0 ? ENDLESS : Duration.ofNanos(Math.max(1, end - connection.now())));
                connection.readOnce(limit);
            }
        } catch (OperationCanceledException e) {
            if (news.wakes() == seen) throw e;
        } finally {
            reader = null;
            pass();
        }
    }

    /** Wakes whoever waits for these news, though it may read. */
    void wake(Waiters news) {
        news.wake();
        if (reader == news && limit != null) limit.cancel();
    }

    /** Returns false if the news came first. */
    private boolean awaitTurn(Turn turn, long nanos) {
        waiting.add(turn);
        boolean done = false;
        try {
            turn.news.await(nanos);
            done = true;
            return turn.isGiven;
        } finally {
            waiting.remove(turn);
            if (turn.isGiven && !done) pass();
        }
    }

    private void pass() {
        taken = !waiting.isEmpty();
        if (!taken) return;
        Turn next = waiting.iterator().next();
        waiting.remove(next);
        next.isGiven = true;
        next.news.wake();
    }
}
