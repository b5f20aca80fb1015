package org.trueasync.internal.file;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.work.Work;

/**
 * A call on a helper thread for the one whose turn it is. The turn lasts at least as long as the call, and the file stays open for it.
 *
 * @param <T> what it brings
 */
class FileCall<T> extends Work<T> {
    private final FileCore file;
    private final CallQueue line;

    FileCall(FileCore file, CallQueue line, String what, Callable<? extends @Nullable T> call) {
        super(file.loop, file.workers, what, call, null);
        this.file = file;
        this.line = line;
    }

    /** Makes the call; suspends until it has ended. */
    @Nullable
    T make(@Nullable Completable<?> token) {
        line.begun(this);
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

    /** A thing without positions may keep its thread waiting for ever. */
    @Override
    protected final void leftUnderWay() {
        if (!file.seekable) file.handle.abandon(line == file.writes);
    }

    private void finish() {
        line.ended();
        file.use.ends();
    }

    /**
     * The call has ended, whatever came of it; before the next one's turn.
     *
     * @param brought its value, or null
     * @param claimed whether somebody gets the value
     */
    void ended(@Nullable T brought, boolean claimed) {}
}
