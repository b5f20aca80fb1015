package org.trueasync.reactor.libuv;

import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The functions of the C library that every loop and stream needs; the others are {@link SocketCalls}. */
final class Libc {
    private static final Functions LIBRARY = new Functions(Linker.nativeLinker().defaultLookup());
    private static final MethodHandle MALLOC = LIBRARY.of("malloc");
    private static final MethodHandle FREE = LIBRARY.of("free");
    private static final MethodHandle CLOSE = LIBRARY.of("close");
    private static final MethodHandle DUP = LIBRARY.of("dup");

    private Libc() {}

    static long malloc(long size) {
        try {
            return (long) MALLOC.invokeExact(size, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void free(long block) {
        try {
            long ignored = (long) FREE.invokeExact(block, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void close(int descriptor) {
        try {
            long ignored = (long) CLOSE.invokeExact((long) descriptor, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Another descriptor of the same thing; -1 if the system gives none. */
    static int duplicate(int descriptor) {
        try {
            return (int) (long) DUP.invokeExact((long) descriptor, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }
}
