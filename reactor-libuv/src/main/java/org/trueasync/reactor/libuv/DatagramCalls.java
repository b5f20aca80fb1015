package org.trueasync.reactor.libuv;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** System calls that move datagrams; apart from {@link SocketCalls}, as few programs need them. Failures are negative errno values. */
final class DatagramCalls {
    private static final Functions LIBRARY = new Functions(Linker.nativeLinker().defaultLookup());
    private static final MethodHandle SENDMSG = LIBRARY.withErrno("sendmsg");
    private static final MethodHandle RECVMSG = LIBRARY.withErrno("recvmsg");
    private static final MethodHandle CONNECT = LIBRARY.withErrno("connect");

    private DatagramCalls() {}

    static int send(MemorySegment errno, int socket, long message) {
        try {
            return SocketCalls.result((long) SENDMSG.invokeExact(errno, (long) socket, message, 0L, 0L, 0L), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int receive(MemorySegment errno, int socket, long message, int flags) {
        try {
            return SocketCalls.result(
                    (long) RECVMSG.invokeExact(errno, (long) socket, message, (long) flags, 0L, 0L), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int connect(MemorySegment errno, int socket, long address, int length) {
        try {
            return SocketCalls.result(
                    (long) CONNECT.invokeExact(errno, (long) socket, address, (long) length, 0L, 0L), errno);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }
}
