package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Memory that a runtime keeps for its end: that may come because there is no other left, and takes some. */
final class MemoryReserve {
    private static final int BYTES = 64 << 10;

    @SuppressWarnings("unused") // held, never read
    private byte @Nullable [] bytes = new byte[BYTES];

    /** Gives it back to the heap; again does nothing. */
    void release() {
        bytes = null;
    }
}
