package org.trueasync.internal.cluster.data;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Mutex;
import org.trueasync.OperationCanceledException;
import org.trueasync.cluster.ClusterException;

/**
 * One side of a channel at one member: receiving or sending. The local coroutines wait in a queue. While there are any, one coroutine, the asking one, asks the keeper for all of
 * them; the keeper is the member that keeps the channel. Its calls go one after another, each with a number.
 *
 * <p>The asking coroutine is in no scope of the program, and can't be cancelled. It ends when there is nothing to ask for any more.
 */
abstract class ChannelSide {
    final Shared shared;
    final String channel;
    private final String bell;
    /** Held during each call to the keeper, as only one may be under way. */
    private final Mutex turns;

    private boolean asking;
    /** True once this member is about to leave, so that no call may begin any more. */
    private boolean leaving;
    /** What the asking coroutine waits for; null while it does not wait. */
    private @Nullable CompletableFuture<Boolean> ring;

    ChannelSide(Shared shared, String channel, String bell) {
        this.shared = shared;
        this.channel = channel;
        this.bell = bell + channel;
        turns = new Mutex(this.bell);
    }

    /** True while there is something to ask for, or the keeper still has this member in line. */
    abstract boolean isWanted();

    /** True if the next call must not wait for a sign from the keeper: something has changed here since the last call. */
    abstract boolean isDue();

    /**
     * Makes one call to the keeper.
     *
     * @param past true to pass the members in front, as one of them may be lost
     */
    abstract void ask(boolean past);

    /** Ends the waits of all local coroutines with an error. */
    abstract void fail(Throwable error);

    final String bell() {
        return bell;
    }

    final Mutex turns() {
        return turns;
    }

    /** Lets no call begin any more, as this member is about to leave. */
    final void stopAsking() {
        leaving = true;
    }

    final boolean isLeaving() {
        return leaving;
    }

    final void refuseIfLeaving() {
        if (leaving) throw new ClusterException("cluster channel '" + channel + "': this member leaves its cluster");
    }

    /** To be called when something has changed here: wakes the asking coroutine, or starts it if there is none. */
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
                    called = Async.await(heard, Async.timeout(Shared.ANSWER_TIMEOUT_MILLIS));
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
