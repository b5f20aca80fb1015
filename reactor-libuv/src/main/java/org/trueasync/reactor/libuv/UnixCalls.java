package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls that make a Unix socket; not in {@link SocketCalls}, as few programs need them. Failures are negative
 * errno values.
 */
final class UnixCalls {
    private static final MethodHandle SOCKET = Functions.withErrno("socket");
    private static final MethodHandle BIND = Functions.withErrno("bind");
    private static final MethodHandle FCHMOD = Functions.withErrno("fchmod");
    private static final MethodHandle FCHMODAT = Functions.withErrno("fchmodat");
    private static final MethodHandle UMASK = Functions.of("umask");

    private UnixCalls() {}

    /** Makes a stream socket, closed on exec; libuv makes it non-blocking when it takes it over. */
    static int socket(MemorySegment errno) {
        int type = Platform.SOCK_STREAM | (Platform.MAC ? 0 : Platform.SOCK_CLOEXEC);
        int socket = SocketCalls.call(SOCKET, errno, Platform.AF_UNIX, type, 0, 0, 0);
        if (Platform.MAC && socket >= 0) SocketCalls.closeOnExec(errno, socket);
        return socket;
    }

    static int bind(MemorySegment errno, int socket, UnixPath path) {
        return SocketCalls.call(BIND, errno, socket, path.address(), path.length(), 0, 0);
    }

    static int changeMode(MemorySegment errno, int descriptor, int mode) {
        return SocketCalls.call(FCHMOD, errno, descriptor, mode, 0, 0, 0);
    }

    /** Changes the mode of a file; does not follow a link. */
    static int changeMode(MemorySegment errno, UnixPath path, int mode) {
        return SocketCalls.call(
                FCHMODAT, errno, Platform.AT_FDCWD, path.string(), mode, Platform.AT_SYMLINK_NOFOLLOW, 0);
    }

    /** Sets the umask of the whole process; returns the earlier one. */
    static int umask(int mask) {
        return (int) Functions.call(UMASK, mask, 0, 0, 0, 0);
    }
}
