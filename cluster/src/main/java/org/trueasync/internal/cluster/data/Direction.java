package org.trueasync.internal.cluster.data;

import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;
import org.trueasync.Mutex;
import org.trueasync.Section;

/**
 * One direction of a channel at one member: local coroutines stand in a queue, and while there are any, one coroutine asks for all of them. Its calls
 * to the member that keeps the channel go one after another, each with a number.
 *
 * <p>That coroutine is in no scope of the program's, and protected: it ends when nobody waits any more.
 */
abstract class Direction {
    final Shared shared;
    final String channel;
    private final String bell;
    private final Mutex turns;
    private boolean asking;

    Direction(Shared shared, String channel, String bell) {
        this.shared = shared;
        this.channel = channel;
        this.bell = bell + channel;
        turns = new Mutex(this.bell);
    }

    /** True while there is something to ask for. */
    abstract boolean isWanted();

    /**
     * Asks once.
     *
     * @param past whether those in front are passed
     * @return true if this member is in line now
     */
    abstract boolean ask(boolean past);

    /** Ends all waits. */
    abstract void fail(Throwable error);

    final String bell() {
        return bell;
    }

    final Mutex turns() {
        return turns;
    }

    /** Something has been added. */
    final void begin() {
        if (asking) return;
        asking = true;
        shared.scope().spawn(() -> {
            Async.protect(this::askOn);
        });
    }

    /** Looks again whether there is anything to ask for. */
    final void lookAgain() {
        if (asking) shared.bells().ring(bell);
        else if (isWanted()) begin();
    }

    private void askOn() {
        try {
            boolean past = false;
            while (isWanted()) {
                CompletableFuture<Boolean> ring = shared.bells().listen(bell);
                boolean passing = past;
                boolean inLine = turns.withLock((Section<Boolean, RuntimeException>) () -> isWanted() && ask(passing));
                past = inLine && !shared.heard(bell, ring, null);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            asking = false;
        }
        if (isWanted()) begin();
    }
}
