package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Receiving and sending on a connection, without waiting; Linux only. {@code recv} and {@code send} cost the system
 * less than {@code read} and {@code write}, which first treat a socket as a file. Failures are negative errno values.
 */
final class TcpCalls {
    private static final MethodHandle RECEIVE = Functions.withErrno("recv");
    private static final MethodHandle SEND = Functions.withErrno("send");

    private TcpCalls() {}

    /** Links the functions: later there might be no descriptor left to open a class file. */
    static void prepare() {}

    /** Repeated if a signal interrupts it. */
    static int receive(MemorySegment errno, int socket, long bytes, int length) {
        while (true) {
            int count = SocketCalls.call(RECEIVE, errno, socket, bytes, length, Platform.MSG_DONTWAIT, 0);
            if (count != -Platform.EINTR) return count;
        }
    }

    /** Repeated if a signal interrupts it. A lack of memory for buffers counts as a full one, {@code EAGAIN}. */
    static int send(MemorySegment errno, int socket, long bytes, int length) {
        int flags = Platform.MSG_DONTWAIT | Platform.MSG_NOSIGNAL;
        while (true) {
            int count = SocketCalls.call(SEND, errno, socket, bytes, length, flags, 0);
            if (count == -Platform.ENOBUFS) return -Platform.EAGAIN;
            if (count != -Platform.EINTR) return count;
        }
    }
}
