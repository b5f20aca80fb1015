package org.trueasync.internal.cluster.data;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Mutex;
import org.trueasync.OperationCanceledException;
import org.trueasync.cluster.ClusterException;

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
    /** No call begins any more. */
    private boolean leaving;
    /** While the asking coroutine waits. */
    private @Nullable CompletableFuture<Boolean> ring;

    Direction(Shared shared, String channel, String bell) {
        this.shared = shared;
        this.channel = channel;
        this.bell = bell + channel;
        turns = new Mutex(this.bell);
    }

    /** True while there is something to ask for, or the keeper counts on this member. */
    abstract boolean isWanted();

    /** True if what has happened here since the last call is a reason for the next one. */
    abstract boolean isDue();

    /**
     * Asks once.
     *
     * @param past whether those in front are passed
     */
    abstract void ask(boolean past);

    /** Ends all waits. */
    abstract void fail(Throwable error);

    final String bell() {
        return bell;
    }

    final Mutex turns() {
        return turns;
    }

    /** This member is about to leave. */
    final void stopAsking() {
        leaving = true;
    }

    final boolean isLeaving() {
        return leaving;
    }

    final void refuseIfLeaving() {
        if (leaving) throw new ClusterException("cluster channel '" + channel + "': this member leaves its cluster");
    }

    /** Something has changed here. */
    final void lookAgain() {
        if (asking) {
            CompletableFuture<Boolean> waiting = ring;
            if (waiting != null && (isDue() || !isWanted())) waiting.complete(false);
        } else if (isWanted()) {
            asking = true;
            shared.scope().spawn(() -> {
                Async.protect(this::askOn);
            });
        }
    }

    private void askOn() {
        try {
            boolean called = true;
            boolean past = false;
            while (isWanted()) {
                CompletableFuture<Boolean> heard = shared.bells().listen(bell);
                if (called || isDue()) {
                    boolean passing = past;
                    turns.withLock(() -> {
                        if (isWanted()) ask(passing);
                    });
                    called = past = false;
                }
                if (isDue() || !isWanted()) continue;
                ring = heard;
                try {
                    called = Async.await(heard, Async.timeout(Shared.PATIENCE_MILLIS));
                } catch (OperationCanceledException e) {
                    called = past = true;
                } finally {
                    ring = null;
                    shared.bells().stopListening(bell, heard);
                }
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            asking = false;
        }
        lookAgain();
    }
}
