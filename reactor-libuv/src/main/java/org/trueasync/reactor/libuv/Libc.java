package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The few functions of the C library that libuv does not offer, or not the way we need them. Failures are negative errno values. */
final class Libc {
    static final StructLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();

    private static final Functions LIBRARY = new Functions(Linker.nativeLinker().defaultLookup());
    private static final VarHandle ERRNO = ERRNO_LAYOUT.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle MALLOC = LIBRARY.of("malloc", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FREE = LIBRARY.of("free", null, JAVA_LONG);
    private static final MethodHandle CLOSE = LIBRARY.of("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle LISTEN = LIBRARY.withErrno("listen", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SETSOCKOPT =
            LIBRARY.withErrno("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FCNTL = LIBRARY.variadicWithErrno("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT = Platform.MAC
            ? LIBRARY.withErrno("accept", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG)
            : LIBRARY.withErrno("accept4", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

    private Libc() {}

    static long malloc(long size) {
        try {
            return (long) MALLOC.invokeExact(size);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void free(long block) {
        try {
            FREE.invokeExact(block);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int listen(MemorySegment errno, int socket, int backlog) {
        try {
            return result((int) LISTEN.invokeExact(errno, socket, backlog), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int setSocketOption(MemorySegment errno, int socket, int level, int option, long value, int length) {
        try {
            return result((int) SETSOCKOPT.invokeExact(errno, socket, level, option, value, length), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** A second descriptor of the same file, closed on exec. */
    static int duplicate(MemorySegment errno, int descriptor) {
        return fcntl(errno, descriptor, Platform.F_DUPFD_CLOEXEC, 0);
    }

    /** Accepts a connection; the new descriptor is closed on exec. Where accept4 is missing libuv makes it non-blocking afterwards. */
    static int accept(MemorySegment errno, int socket, long address, long addressLength) {
        try {
            if (!Platform.MAC) return result((int) ACCEPT.invokeExact(errno, socket, address, addressLength, Platform.ACCEPT_FLAGS), errno);
            int accepted = result((int) ACCEPT.invokeExact(errno, socket, address, addressLength), errno);
            if (accepted >= 0) fcntl(errno, accepted, Platform.F_SETFD, Platform.FD_CLOEXEC);
            return accepted;
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static int fcntl(MemorySegment errno, int descriptor, int command, int argument) {
        try {
            return result((int) FCNTL.invokeExact(errno, descriptor, command, argument), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static int result(int returned, MemorySegment errno) {
        return returned >= 0 ? returned : -(int) ERRNO.get(errno, 0L);
    }
}
