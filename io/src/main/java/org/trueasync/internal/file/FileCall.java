package org.trueasync.internal.file;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.work.Work;

/**
 * A call on a helper thread, made by the coroutine that has the turn. The turn lasts at least as long as the call, and
 * a file with positions stays open until the call has ended.
 *
 * @param <T> the call's result
 */
class FileCall<T> extends Work<T> {
    private final FileCore file;
    private final CallQueue queue;

    FileCall(FileCore file, CallQueue queue, String what, Callable<? extends @Nullable T> call) {
        super(file.loop, file.workers, what, call, null);
        this.file = file;
        this.queue = queue;
    }

    /** Makes the call; suspends until it has ended. */
    @Nullable
    T make(@Nullable Completable<?> token) {
        queue.begun(this);
        file.use.begins();
        T value;
        try {
            value = await(token);
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        }
        try {
            ended(value, true);
        } finally {
            finish();
        }
        return value;
    }

    @Override
    protected final void unclaimed(@Nullable T brought) {
        try {
            ended(brought, false);
        } finally {
            finish();
        }
    }

    /**
     * On a file without positions, a FIFO for instance, the call may block its thread for ever, so the handle is asked
     * to end it.
     */
    @Override
    protected final void leftUnderWay() {
        if (!file.seekable) file.handle.abandon(queue == file.writes);
    }

    private void finish() {
        queue.ended();
        file.use.ends();
    }

    /**
     * Called when the call has ended, successfully or not, or was never made, before the next turn begins.
     *
     * @param brought its value; null if there is none
     * @param claimed whether the coroutine gets the value
     */
    void ended(@Nullable T brought, boolean claimed) {}
}
