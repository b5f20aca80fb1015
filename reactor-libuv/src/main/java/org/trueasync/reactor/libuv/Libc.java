package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandle;

/** The functions of the C library that every loop and stream needs; for others see {@link SocketCalls}. */
final class Libc {
    private static final MethodHandle MALLOC = Functions.of("malloc");
    private static final MethodHandle FREE = Functions.of("free");
    private static final MethodHandle CLOSE = Functions.of("close");
    private static final MethodHandle DUP = Functions.of("dup");

    private Libc() {}

    static long malloc(long size) {
        return Functions.call(MALLOC, size, 0, 0, 0, 0);
    }

    static void free(long block) {
        Functions.call(FREE, block, 0, 0, 0, 0);
    }

    static void close(int descriptor) {
        Functions.call(CLOSE, descriptor, 0, 0, 0, 0);
    }

    /** Returns another descriptor of the same file or socket; -1 if the system refuses. */
    static int duplicate(int descriptor) {
        return (int) Functions.call(DUP, descriptor, 0, 0, 0, 0);
    }
}
