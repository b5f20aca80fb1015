package org.trueasync.launcher;

import org.jspecify.annotations.Nullable;

/** Memory that is kept for the end of the process: it may come because there is no other left, and must be reported all the same. */
final class MemoryReserve {
    /** Enough to load the classes that print, and for a trace of the JVM's 1,024 frames. */
    private static final int BYTES = 512 << 10;

    @SuppressWarnings("unused") // held, never read
    private volatile byte @Nullable [] bytes = new byte[BYTES];

    /** Gives it back to the heap. Any thread; again does nothing. */
    void release() {
        bytes = null;
    }
}
