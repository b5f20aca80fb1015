package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls for datagrams; not in {@link SocketCalls}, as few programs need them. Failures are negative errno
 * values.
 */
final class DatagramCalls {
    private static final MethodHandle SENDTO = Functions.withErrno("sendto");
    private static final MethodHandle RECVFROM = Functions.withErrno("recvfrom");
    private static final MethodHandle CONNECT = Functions.withErrno("connect");

    private DatagramCalls() {}

    static int send(MemorySegment errno, int socket, long bytes, int length, long address, int addressLength) {
        return SocketCalls.call(SENDTO, errno, socket, bytes, length, 0, address, addressLength);
    }

    /** The int at {@code addressLength} says how much room there is at {@code address}, then how much is used. */
    static int receive(
            MemorySegment errno, int socket, long bytes, int room, int flags, long address, long addressLength) {
        return SocketCalls.call(RECVFROM, errno, socket, bytes, room, flags, address, addressLength);
    }

    static int connect(MemorySegment errno, int socket, long address, int length) {
        return SocketCalls.call(CONNECT, errno, socket, address, length, 0, 0);
    }
}
