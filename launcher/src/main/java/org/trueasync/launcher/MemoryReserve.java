package org.trueasync.launcher;

import org.jspecify.annotations.Nullable;

/**
 * Memory that is reserved for the end of the process, so that an {@code OutOfMemoryError} that ends the program can
 * still be reported.
 */
final class MemoryReserve {
    /** Enough to load the classes that print, and for a stack trace of 1,024 frames, the JVM's default limit. */
    private static final int BYTES = 512 << 10;

    @SuppressWarnings("unused") // only held, never read
    private volatile byte @Nullable [] bytes = new byte[BYTES];

    /** Frees the reserve. Any thread; idempotent. */
    void release() {
        bytes = null;
    }
}
