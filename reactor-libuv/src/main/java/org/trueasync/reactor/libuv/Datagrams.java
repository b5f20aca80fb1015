package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends and receives datagrams; has the structures that the system needs for that. One for each loop. */
final class Datagrams {
    /*
     * struct msghdr { void *name; socklen_t namelen; struct iovec *iov; size_t iovlen; void *control; size_t
     * controllen; int flags; }, with one iovec behind it. On macOS iovlen and controllen are ints; the low half of a
     * long has the same bytes.
     *
     * A direct buffer is passed to the system as it is. A heap buffer, which may move, is copied from or to the loop's
     * write buffer, which is large enough for any datagram and is used for one call at a time.
     */
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int IOV = 16;
    private static final int IOV_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;
    private static final int IOVEC = 64;
    private static final int SIZE = 80;
    private static final int GROUP_SIZE = Platform.GROUP_ADDRESS + 2 * SocketAddresses.SIZE;

    private final UvReactor reactor;
    private final long message;
    private final long name;
    private final long option;

    Datagrams(UvReactor reactor, Arena arena) {
        this.reactor = reactor;
        this.message = arena.allocate(SIZE, 16).address();
        this.name = arena.allocate(SocketAddresses.SIZE, 16).address();
        this.option = arena.allocate(GROUP_SIZE, 16).address();
        NativeMemory.setLong(message + IOV, message + IOVEC);
        NativeMemory.setLong(message + IOV_COUNT, 1);
        NativeMemory.setLong(message + CONTROL, 0);
    }

    private void prepare(boolean named, int nameLength, long bytes, int length) {
        NativeMemory.setLong(message + NAME, named ? name : 0);
        NativeMemory.setInt(message + NAME_LENGTH, named ? nameLength : 0);
        NativeMemory.setLong(message + CONTROL_LENGTH, 0);
        NativeMemory.setInt(message + FLAGS, 0);
        NativeMemory.setLong(message + IOVEC, bytes);
        NativeMemory.setLong(message + IOVEC + Long.BYTES, length);
    }

    /**
     * Receives a datagram.
     *
     * @param into has room; position moves by the bytes put in
     * @return the datagram's whole length, or a negative errno
     */
    int receive(int socket, ByteBuffer into) {
        int room = into.remaining();
        boolean inPlace = into.isDirect() && !Platform.MAC;
        int length;
        try {
            do {
                if (inPlace) prepare(true, SocketAddresses.SIZE, NativeMemory.addressOf(into), room);
                else prepare(true, SocketAddresses.SIZE, reactor.writeAddress, UvReactor.CHUNK);
                // on Linux the flag makes the system return the whole length
                length = DatagramCalls.receive(reactor.errno(), socket, message, Platform.MAC ? 0 : Platform.MSG_TRUNC);
            } while (length == -Platform.EINTR);
        } finally {
            Reference.reachabilityFence(into);
        }
        if (length < 0) return length;
        int fits = Math.min(length, room);
        if (!inPlace) into.put(into.position(), reactor.writeBuffer, 0, fits);
        into.position(into.position() + fits);
        return length;
    }

    /** Sender of the datagram just received; null if the system does not say. */
    @Nullable
    InetSocketAddress sender() {
        return NativeMemory.getInt(message + NAME_LENGTH) == 0 ? null : SocketAddresses.read(name);
    }

    /**
     * Sends all remaining bytes as one datagram.
     *
     * @param family of the socket
     * @param to the receiver, null for the connected peer
     * @return 0 if it was sent, and the position has moved; else a negative errno
     */
    int send(int socket, int family, ByteBuffer datagram, @Nullable InetSocketAddress to) {
        int length = datagram.remaining();
        if (length > UvReactor.CHUNK) return -Platform.EMSGSIZE;
        if (to != null) {
            int as = family == Platform.AF_INET6 ? family : SocketAddresses.family(to);
            SocketAddresses.write(to, as, name);
            family = as;
        }
        int sent;
        try {
            long bytes = reactor.writeAddress;
            if (datagram.isDirect() && length > 0) bytes = NativeMemory.addressOf(datagram);
            else reactor.writeBuffer.put(0, datagram, datagram.position(), length);
            prepare(to != null, SocketAddresses.length(family), bytes, length);
            do sent = DatagramCalls.send(reactor.errno(), socket, message);
            while (sent == -Platform.EINTR);
        } finally {
            Reference.reachabilityFence(datagram);
        }
        if (sent < 0) return sent;
        datagram.position(datagram.limit());
        return 0;
    }

    int connect(int socket, int family, InetSocketAddress remote) {
        int as = family == Platform.AF_INET6 ? family : SocketAddresses.family(remote);
        SocketAddresses.write(remote, as, name);
        return DatagramCalls.connect(reactor.errno(), socket, name, SocketAddresses.length(as));
    }

    /** Joins or leaves a group. These options take an interface number and are the same for both families. */
    int membership(int socket, boolean join, InetAddress group, int networkInterface, @Nullable InetAddress source) {
        NativeMemory.setInt(option, networkInterface);
        long first = option + Platform.GROUP_ADDRESS;
        SocketAddresses.write(new InetSocketAddress(group, 0), first);
        int level = level(SocketAddresses.family(new InetSocketAddress(group, 0)));
        if (source == null) {
            int name = join ? Platform.MCAST_JOIN_GROUP : Platform.MCAST_LEAVE_GROUP;
            return set(socket, level, name, Platform.GROUP_ADDRESS + SocketAddresses.SIZE);
        }
        SocketAddresses.write(new InetSocketAddress(source, 0), first + SocketAddresses.SIZE);
        return set(
                socket, level, join ? Platform.MCAST_JOIN_SOURCE_GROUP : Platform.MCAST_LEAVE_SOURCE_GROUP, GROUP_SIZE);
    }

    private static int level(int family) {
        return family == Platform.AF_INET6 ? Platform.IPPROTO_IPV6 : Platform.IPPROTO_IP;
    }

    /** Sets the interface for IPv4 multicasts, by its number in struct ip_mreqn. */
    int multicastInterface4(int socket, int networkInterface) {
        NativeMemory.setLong(option, 0);
        NativeMemory.setInt(option + 8, networkInterface);
        return set(socket, Platform.IPPROTO_IP, Platform.IP_MULTICAST_IF, 12);
    }

    int option(int socket, int level, int name, int value) {
        NativeMemory.setInt(option, value);
        return set(socket, level, name, Integer.BYTES);
    }

    private int set(int socket, int level, int name, int length) {
        return SocketCalls.setOption(reactor.errno(), socket, level, name, option, length);
    }
}
