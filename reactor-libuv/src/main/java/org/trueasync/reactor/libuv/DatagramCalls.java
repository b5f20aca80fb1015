package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls for datagrams; not in {@link SocketCalls}, as few programs need them. Failures are negative errno
 * values.
 */
final class DatagramCalls {
    private static final MethodHandle SENDMSG = Functions.withErrno("sendmsg");
    private static final MethodHandle RECVMSG = Functions.withErrno("recvmsg");
    private static final MethodHandle CONNECT = Functions.withErrno("connect");

    private DatagramCalls() {}

    static int send(MemorySegment errno, int socket, long message) {
        return SocketCalls.call(SENDMSG, errno, socket, message, 0, 0, 0);
    }

    static int receive(MemorySegment errno, int socket, long message, int flags) {
        return SocketCalls.call(RECVMSG, errno, socket, message, flags, 0, 0);
    }

    static int connect(MemorySegment errno, int socket, long address, int length) {
        return SocketCalls.call(CONNECT, errno, socket, address, length, 0, 0);
    }
}
