package org.trueasync.internal.file;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.TurnQueue;
import org.trueasync.internal.kernel.Loop;

/**
 * The requests on a file, one at a time, in the order of the calls. The coroutine that has the turn may leave while its
 * call on a helper thread goes on; the next turn begins when that call has ended.
 */
final class CallQueue {
    private final TurnQueue turns;
    private final String what;
    private @Nullable FileCall<?> call;
    /** True if the coroutine that had the turn has left while its call goes on. */
    private boolean callerLeft;

    CallQueue(Loop loop, String name) {
        turns = new TurnQueue(loop);
        what = "turn to use " + name;
    }

    /** Waits until it is the caller's turn; then {@link #leave} must follow. */
    void enter(@Nullable Completable<?> token) {
        turns.take(what, token);
    }

    /** True while a coroutine has the turn or a call goes on. */
    boolean isBusy() {
        return turns.isTaken();
    }

    /** Ends the turn: now, or when the call that still goes on has ended. */
    void leave() {
        if (call != null) callerLeft = true;
        else turns.next();
    }

    /** Registers a call that begins in this turn. */
    void begun(FileCall<?> started) {
        call = started;
    }

    /** Removes the call, because it has ended, and ends the turn if its coroutine has left. */
    void ended() {
        call = null;
        if (!callerLeft) return;
        callerLeft = false;
        turns.next();
    }

    /** Fails the waits of all coroutines in the queue and the wait for the call under way; the call itself goes on. */
    void fail(Throwable error) {
        turns.fail(error);
        if (call != null) call.fail(error);
    }
}
