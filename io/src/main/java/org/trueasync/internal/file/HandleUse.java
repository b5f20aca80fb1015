package org.trueasync.internal.file;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Work;

/**
 * Counts what needs the handle of a file: calls under way, locks and requests for them, and parts that other locks rely
 * on. While there are any, the handle stays open although the file is closed. A file without positions is an exception:
 * {@link #fileClosed} closes its handle in any case.
 */
final class HandleUse {
    private final FileCore file;
    private final AtomicInteger uses = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Written by the helper thread. */
    private volatile boolean closeBegun;

    HandleUse(FileCore file) {
        this.file = file;
    }

    /** Adds a use; {@link #ends} must follow. Any thread. */
    void begins() {
        uses.incrementAndGet();
    }

    /** Ends a use; closes the handle if it was the last one and the file is closed. Any thread. */
    void ends() {
        // The file is marked as closed before its own use ends: one of the two sees the other.
        if (uses.decrementAndGet() == 0 && file.isClosed() && startClosing()) closeOnHelper();
    }

    /**
     * Ends the use that closing the file has begun, and closes the handle, unless it is in use; then its last use
     * closes it. Suspends where that is possible.
     */
    void fileClosed() {
        // Without positions a call may last for ever; closing the handle ends it.
        if ((uses.decrementAndGet() > 0 && file.seekable) || !startClosing()) return;
        Loop loop = file.loop;
        if (!loop.maySuspend()) {
            closeOnHelper();
            return;
        }
        try {
            loop.requireCurrent("close").shield(() -> new Closing().await(null));
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        } catch (AsyncException e) {
            if (!loop.isPinned(e)) throw e; // pinned: the handle is closed, this coroutine can't wait for it
        }
    }

    /** The call that closes the handle. If its coroutine leaves before it has begun, it is made nevertheless. */
    private final class Closing extends Work<Boolean> {
        Closing() {
            super(
                    file.loop,
                    file.workers,
                    "close of " + file.path(),
                    () -> {
                        closeHandle();
                        return true;
                    },
                    null);
        }

        @Override
        protected void unclaimed(@Nullable Boolean done) {
            if (!closeBegun) closeOnHelper();
        }
    }

    /** True for the first caller, unless locks of others are in the way: then the table closes the handle later. */
    private boolean startClosing() {
        return closed.compareAndSet(false, true) && LockTable.mayClose(file.handle, this::closeOnHelper);
    }

    private void closeOnHelper() {
        file.loop.reactor().helpers(file.workers, "close of " + file.path()).execute(this::closeUnwatched);
    }

    private void closeUnwatched() {
        try {
            closeHandle();
        } catch (InputOutputException e) {
            file.loop.post(() -> file.loop.report(String.valueOf(e.getMessage())));
        }
    }

    /** On a helper thread. */
    private void closeHandle() {
        closeBegun = true;
        try {
            file.handle.close();
        } finally {
            LockTable.closed(file.handle);
        }
    }
}
