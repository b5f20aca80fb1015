package org.trueasync.reactor.libuv;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** System calls that make a Unix socket; apart from {@link SocketCalls}, as few programs need them. Failures are negative errno values. */
final class UnixCalls {
    private static final Functions LIBRARY = new Functions(Linker.nativeLinker().defaultLookup());
    private static final MethodHandle SOCKET = LIBRARY.withErrno("socket");
    private static final MethodHandle BIND = LIBRARY.withErrno("bind");
    private static final MethodHandle FCHMOD = LIBRARY.withErrno("fchmod");
    private static final MethodHandle FCHMODAT = LIBRARY.withErrno("fchmodat");
    private static final MethodHandle UMASK = LIBRARY.of("umask");

    private UnixCalls() {}

    /** A stream socket, closed on exec; libuv makes it non-blocking when it takes it over. */
    static int socket(MemorySegment errno) {
        try {
            int type = Platform.SOCK_STREAM | (Platform.MAC ? 0 : Platform.SOCK_CLOEXEC);
            int socket = SocketCalls.result(
                    (long) SOCKET.invokeExact(errno, (long) Platform.AF_UNIX, (long) type, 0L, 0L, 0L), errno);
            if (Platform.MAC && socket >= 0) SocketCalls.closeOnExec(errno, socket);
            return socket;
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int bind(MemorySegment errno, int socket, UnixPath path) {
        try {
            return SocketCalls.result(
                    (long) BIND.invokeExact(errno, (long) socket, path.address(), (long) path.length(), 0L, 0L), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int changeMode(MemorySegment errno, int descriptor, int mode) {
        try {
            return SocketCalls.result(
                    (long) FCHMOD.invokeExact(errno, (long) descriptor, (long) mode, 0L, 0L, 0L), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Of a file; a link is not followed. */
    static int changeMode(MemorySegment errno, UnixPath path, int mode) {
        try {
            return SocketCalls.result(
                    (long) FCHMODAT.invokeExact(
                            errno,
                            (long) Platform.AT_FDCWD,
                            path.string(),
                            (long) mode,
                            (long) Platform.AT_SYMLINK_NOFOLLOW,
                            0L),
                    errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Sets the mask of the whole process; returns the one before. */
    static int umask(int mask) {
        try {
            return (int) (long) UMASK.invokeExact((long) mask, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }
}
