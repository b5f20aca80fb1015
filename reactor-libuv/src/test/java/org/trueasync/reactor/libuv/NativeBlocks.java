package org.trueasync.reactor.libuv;

/** For tests in other packages. */
public final class NativeBlocks {
    private NativeBlocks() {}

    /** Blocks that are allocated now, of all reactors of the process. */
    public static long live() {
        return NativeMemory.liveBlocks();
    }
}
