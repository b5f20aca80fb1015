package org.trueasync.internal.file;

import java.util.concurrent.Callable;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Work;

/**
 * Counts what needs the handle of a file: calls under way, and locks that others rely on. While there are any, the
 * handle stays open although the file is closed; without positions, only until {@link #fileClosed}.
 */
final class HandleUse {
    private final FileCore file;
    private int uses;
    private boolean closed;

    HandleUse(FileCore file) {
        this.file = file;
    }

    /** Adds a use; {@link #ends} must follow. */
    void begins() {
        uses++;
    }

    /** Ends a use; closes the handle if it was the last one and the file is closed. */
    void ends() {
        if (--uses == 0 && file.isClosed() && !closed) {
            closed = true;
            file.workers.execute(this::closeUnwatched);
        }
    }

    /**
     * Closes the handle of a closed file, unless it is in use; then its last use closes it. Suspends where that is
     * possible.
     */
    void fileClosed() {
        // Without positions a call may last for ever; closing the handle ends it.
        if (closed || (uses > 0 && file.seekable)) return;
        closed = true;
        Loop loop = file.loop;
        if (!loop.maySuspend()) {
            file.workers.execute(this::closeUnwatched);
            return;
        }
        Callable<Boolean> call = () -> {
            file.handle.close();
            return true;
        };
        try {
            loop.requireCurrent("close")
                    .shield(() -> Work.await(loop, file.workers, "close of " + file.path(), call, null, null));
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        } catch (AsyncException e) {
            if (!loop.isPinned(e)) throw e; // pinned: the call goes on, this coroutine can't wait for it
        }
    }

    /** On a helper thread. */
    private void closeUnwatched() {
        try {
            file.handle.close();
        } catch (InputOutputException e) {
            file.loop.post(() -> file.loop.report(String.valueOf(e.getMessage())));
        }
    }
}
