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

    /** Position of the part's first byte in the file. */
    public long position() {
        return lock.position();
    }

    /**
     * Length of the part in bytes; {@link Long#MAX_VALUE} if it reaches to the end of the file, however long that
     * becomes.
     */
    public long size() {
        return lock.size();
    }

    /** True if others may lock the part too, but only shared. */
    public boolean isShared() {
        return lock.isShared();
    }

    /** True until the lock is released or the file closed. Any thread; another thread may see it late. */
    public boolean isValid() {
        return lock.isHeld();
    }

    /** Releases the lock, without waiting. Idempotent. */
    @Override
    public void close() {
        lock.release();
    }

    @Override
    public String toString() {
        return (isShared() ? "shared" : "exclusive") + " lock of " + file + (isValid() ? "" : ", given back");
    }
}
