package org.trueasync.internal.file;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.TurnQueue;
import org.trueasync.internal.kernel.Loop;

/**
 * The requests on a file, one at a time, in the order of the calls. Whose turn it is may leave while its call on a helper thread still goes on; the
 * next one's turn comes when that has ended.
 */
final class CallQueue {
    private final TurnQueue turns;
    private final String what;
    private @Nullable FileCall<?> call;
    /** The one whose turn it was has left, its call goes on. */
    private boolean left;

    CallQueue(Loop loop, String name) {
        turns = new TurnQueue(loop);
        what = "turn to use " + name;
    }

    /** Waits until it is the caller's turn; then {@link #leave} must follow. */
    void enter(@Nullable Completable<?> token) {
        turns.take(what, token);
    }

    /** True while it is somebody's turn, or a call goes on. */
    boolean isBusy() {
        return turns.isTaken();
    }

    /** The turn is over, or over as soon as the call that goes on has ended. */
    void leave() {
        if (call != null) left = true;
        else turns.next();
    }

    /** The one whose turn it is has a call begun. */
    void begun(FileCall<?> begun) {
        call = begun;
    }

    /** That call has ended. */
    void ended() {
        call = null;
        if (!left) return;
        left = false;
        turns.next();
    }

    /** Everybody who waits, and who has a call under way, gets an error; the call goes on. */
    void fail(Throwable error) {
        turns.fail(error);
        if (call != null) call.fail(error);
    }
}
