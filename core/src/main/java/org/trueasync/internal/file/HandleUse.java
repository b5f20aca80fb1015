package org.trueasync.internal.file;

import java.util.concurrent.Callable;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Work;

/** Who needs the handle of a file: calls under way, and locks that others rely on. While there are any, it stays open although the file is closed. */
final class HandleUse {
    private final FileCore file;
    private int uses;
    private boolean closed;

    HandleUse(FileCore file) {
        this.file = file;
    }

    /** It is needed until {@link #ends}. */
    void begins() {
        uses++;
    }

    /** One that needed it does so no more. */
    void ends() {
        if (--uses == 0 && file.isClosed() && !closed) {
            closed = true;
            file.workers.execute(this::closeUnwatched);
        }
    }

    /** The file has been closed: closes the handle unless somebody needs it, who then closes it. Suspends where it may. */
    void fileClosed() {
        // A call on a thing without positions may last for ever; closing ends it.
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
            if (!loop.isPinned(e)) throw e; // else it goes on without us
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
