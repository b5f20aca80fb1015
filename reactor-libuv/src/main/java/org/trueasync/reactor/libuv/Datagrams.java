package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives datagrams, and sets options of their sockets. Has the memory that the system's calls need for
 * that; each loop has one object of this class. Loop thread only. Failures are negative errno values.
 */
final class Datagrams {
    /*
     * A direct buffer is passed to the system as it is. A heap buffer, which may move, is copied from or to the loop's
     * write buffer, which is large enough for any datagram and is used for one call at a time. On macOS every datagram
     * is received by way of that buffer: only so its whole length is known.
     */
    private static final int GROUP_SIZE = Platform.GROUP_ADDRESS + 2 * SocketAddresses.SIZE;

    private final UvReactor reactor;
    /** Room for a socket address. */
    private final long address;
    /** The length of what is there, an int. */
    private final long addressLength;
    /** Room for the value of an option. */
    private final long optionValue;

    Datagrams(UvReactor reactor, Arena arena) {
        this.reactor = reactor;
        this.address = arena.allocate(SocketAddresses.SIZE, 16).address();
        this.addressLength = arena.allocate(Integer.BYTES, 16).address();
        this.optionValue = arena.allocate(GROUP_SIZE, 16).address();
    }

    /**
     * Receives a datagram, without waiting.
     *
     * @param into gets as many of its bytes as there is room for; the position moves by them
     * @return the whole length of the datagram in bytes, or a negative errno
     */
    int receive(int socket, ByteBuffer into) {
        int room = into.remaining();
        boolean inPlace = into.isDirect() && !Platform.MAC;
        // on Linux the flag makes the system return the whole length
        int flags = Platform.MAC ? 0 : Platform.MSG_TRUNC;
        int length;
        try {
            long bytes = inPlace ? NativeMemory.addressOf(into) : reactor.writeAddress;
            do {
                NativeMemory.setInt(addressLength, SocketAddresses.SIZE);
                length = DatagramCalls.receive(
                        reactor.errno(),
                        socket,
                        bytes,
                        inPlace ? room : UvReactor.CHUNK,
                        flags,
                        address,
                        addressLength);
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

    /** Returns the sender of the datagram that was just received; null if the system does not say. */
    @Nullable
    InetSocketAddress sender() {
        return NativeMemory.getInt(addressLength) == 0 ? null : SocketAddresses.read(address);
    }

    /**
     * Sends all remaining bytes as one datagram, without waiting.
     *
     * @param family of the socket
     * @param to the receiver, null for the connected peer
     * @return 0 if it was sent, and the position is at the limit; else a negative errno
     */
    int send(int socket, int family, ByteBuffer datagram, @Nullable InetSocketAddress to) {
        int length = datagram.remaining();
        if (length > UvReactor.CHUNK) return -Platform.EMSGSIZE;
        if (to != null) {
            int addressFamily = family == Platform.AF_INET6 ? family : SocketAddresses.family(to);
            SocketAddresses.write(to, addressFamily, address);
            family = addressFamily;
        }
        int sent;
        try {
            long bytes = reactor.writeAddress;
            if (datagram.isDirect() && length > 0) bytes = NativeMemory.addressOf(datagram);
            else reactor.writeBuffer.put(0, datagram, datagram.position(), length);
            long target = to == null ? 0 : address;
            int targetLength = to == null ? 0 : SocketAddresses.length(family);
            do sent = DatagramCalls.send(reactor.errno(), socket, bytes, length, target, targetLength);
            while (sent == -Platform.EINTR);
        } finally {
            Reference.reachabilityFence(datagram);
        }
        if (sent < 0) return sent;
        datagram.position(datagram.limit());
        return 0;
    }

    /**
     * Connects the socket to one peer. Sends nothing.
     *
     * @param family of the socket
     * @return 0, or a negative errno
     */
    int connect(int socket, int family, InetSocketAddress remote) {
        int addressFamily = family == Platform.AF_INET6 ? family : SocketAddresses.family(remote);
        SocketAddresses.write(remote, addressFamily, address);
        return DatagramCalls.connect(reactor.errno(), socket, address, SocketAddresses.length(addressFamily));
    }

    /**
     * Joins or leaves a multicast group. These options take an interface number and are the same for both families.
     *
     * @param networkInterface the number of the interface; 0 lets the system choose
     * @param source the only sender from which datagrams are taken; null for all
     * @return 0, or a negative errno
     */
    int membership(int socket, boolean join, InetAddress group, int networkInterface, @Nullable InetAddress source) {
        NativeMemory.setInt(optionValue, networkInterface);
        long groupAddress = optionValue + Platform.GROUP_ADDRESS;
        SocketAddresses.write(new InetSocketAddress(group, 0), groupAddress);
        int level = level(SocketAddresses.family(new InetSocketAddress(group, 0)));
        if (source == null) {
            int option = join ? Platform.MCAST_JOIN_GROUP : Platform.MCAST_LEAVE_GROUP;
            return set(socket, level, option, Platform.GROUP_ADDRESS + SocketAddresses.SIZE);
        }
        SocketAddresses.write(new InetSocketAddress(source, 0), groupAddress + SocketAddresses.SIZE);
        return set(
                socket, level, join ? Platform.MCAST_JOIN_SOURCE_GROUP : Platform.MCAST_LEAVE_SOURCE_GROUP, GROUP_SIZE);
    }

    private static int level(int family) {
        return family == Platform.AF_INET6 ? Platform.IPPROTO_IPV6 : Platform.IPPROTO_IP;
    }

    /**
     * Sets the interface for IPv4 multicasts, by its number in struct ip_mreqn.
     *
     * @return 0, or a negative errno
     */
    int multicastInterface4(int socket, int networkInterface) {
        NativeMemory.setLong(optionValue, 0);
        NativeMemory.setInt(optionValue + 8, networkInterface);
        return set(socket, Platform.IPPROTO_IP, Platform.IP_MULTICAST_IF, 12);
    }

    /**
     * Sets an option whose value is an int.
     *
     * @return 0, or a negative errno
     */
    int option(int socket, int level, int option, int value) {
        NativeMemory.setInt(optionValue, value);
        return set(socket, level, option, Integer.BYTES);
    }

    private int set(int socket, int level, int option, int length) {
        return SocketCalls.setOption(reactor.errno(), socket, level, option, optionValue, length);
    }
}
