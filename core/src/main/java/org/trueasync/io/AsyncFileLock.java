package org.trueasync.io;

import org.trueasync.internal.file.LockRequest;

/**
 * A locked part of an {@link AsyncFile}; see {@link AsyncFile#lock(long, long, boolean)}.
 *
 * <p>Loop thread only, except {@code file}, {@code isShared}, {@code isValid}, {@code position} and {@code size}.
 */
public final class AsyncFileLock implements AutoCloseable {
    private final AsyncFile file;
    private final LockRequest lock;

    AsyncFileLock(AsyncFile file, LockRequest lock) {
        this.file = file;
        this.lock = lock;
    }

    /** The file. */
    public AsyncFile file() {
        return file;
    }

    /** Where the part begins. */
    public long position() {
        return lock.position();
    }

    /** How long the part is; {@link Long#MAX_VALUE} for all there may ever be. */
    public long size() {
        return lock.size();
    }

    /** Whether others may have it too. */
    public boolean isShared() {
        return lock.isShared();
    }

    /** True until it is given back, or the file closed. */
    public boolean isValid() {
        return lock.isHeld();
    }

    /** Gives the lock back, without waiting. Again does nothing. */
    @Override
    public void close() {
        lock.release();
    }

    @Override
    public String toString() {
        return (isShared() ? "shared" : "exclusive") + " lock of " + file + (isValid() ? "" : ", given back");
    }
}
