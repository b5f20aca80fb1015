package org.trueasync.internal.cluster.data;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Mutex;
import org.trueasync.OperationCanceledException;
import org.trueasync.cluster.ClusterException;

/**
 * One side of a channel at one member: receiving or sending. The local coroutines wait in a queue. While there are any,
 * one coroutine, the requesting one, calls the keeper for all of them; the keeper is the member that keeps the channel.
 * Its calls go one after another, each with a number.
 *
 * <p>The requesting coroutine is in no scope of the program, and can't be cancelled. It ends when there is nothing to
 * call for any more.
 */
abstract class ChannelSide {
    final Shared shared;
    final String channel;
    private final String wakeUpKey;
    /** Held during each call to the keeper, as only one may be under way. */
    private final Mutex turns;

    private boolean requesting;
    /** True once this member is about to leave, so that no call may begin any more. */
    private boolean leaving;
    /** What the requesting coroutine waits for; null while it does not wait. */
    private @Nullable CompletableFuture<Boolean> wakeUp;

    ChannelSide(Shared shared, String channel, String kind) {
        this.shared = shared;
        this.channel = channel;
        this.wakeUpKey = kind + channel;
        turns = new Mutex(this.wakeUpKey);
    }

    /** True while there is something to call for, or the keeper still has this member in its queue. */
    abstract boolean isWanted();

    /**
     * True if the next call must not wait for a sign from the keeper: something has changed here since the last call.
     */
    abstract boolean isDue();

    /**
     * Makes one call to the keeper.
     *
     * @param passing true to pass the members in front, as one of them may be lost
     */
    abstract void callKeeper(boolean passing);

    /** Ends the waits of all local coroutines with an error. */
    abstract void fail(Throwable error);

    final String wakeUpKey() {
        return wakeUpKey;
    }

    final Mutex turns() {
        return turns;
    }

    /** Lets no call begin any more, as this member is about to leave. */
    final void stopCalls() {
        leaving = true;
    }

    final boolean isLeaving() {
        return leaving;
    }

    final void refuseIfLeaving() {
        if (leaving) throw new ClusterException("cluster channel '" + channel + "': this member leaves its cluster");
    }

    /** To be called when something has changed here: wakes the requesting coroutine, or starts it if there is none. */
    final void stateChanged() {
        if (requesting) {
            CompletableFuture<Boolean> waiting = wakeUp;
            if (waiting != null && (isDue() || !isWanted())) waiting.complete(false);
        } else if (isWanted()) {
            requesting = true;
            shared.scope().spawn(() -> {
                Async.protect(this::requestWhileWanted);
            });
        }
    }

    private void requestWhileWanted() {
        try {
            boolean isCallDue = true;
            boolean passNext = false;
            while (isWanted()) {
                CompletableFuture<Boolean> next = shared.wakeUps().listen(wakeUpKey);
                if (isCallDue || isDue()) {
                    boolean passing = passNext;
                    turns.withLock(() -> {
                        if (isWanted()) callKeeper(passing);
                    });
                    isCallDue = passNext = false;
                }
                if (isDue() || !isWanted()) continue;
                wakeUp = next;
                try {
                    isCallDue = Async.await(next, Async.timeout(Shared.ANSWER_TIMEOUT_MILLIS));
                } catch (OperationCanceledException e) {
                    isCallDue = passNext = true;
                } finally {
                    wakeUp = null;
                    shared.wakeUps().stopListening(wakeUpKey, next);
                }
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            requesting = false;
        }
        stateChanged();
    }
}
