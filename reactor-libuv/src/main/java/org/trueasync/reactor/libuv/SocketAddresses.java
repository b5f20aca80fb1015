package org.trueasync.reactor.libuv;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Converts {@code struct sockaddr_in} and {@code sockaddr_in6} to and from Java. Never resolves a name in either
 * direction: that would block.
 */
final class SocketAddresses {
    /** Room for any address: {@code sizeof(struct sockaddr_storage)}. */
    static final int SIZE = 128;

    private static final int V4_SIZE = 16;
    private static final int V6_SIZE = 28;
    private static final int PORT = 2;
    private static final int V4_ADDRESS = 4;
    private static final int V6_ADDRESS = 8;
    private static final int V6_SCOPE = 24;

    private SocketAddresses() {}

    /** Throws if the address is not resolved. */
    static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved())
            throw new IllegalArgumentException("host '" + address.getHostString() + "' is not resolved");
    }

    static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ? Platform.AF_INET6 : Platform.AF_INET;
    }

    /** Writes an address into {@link #SIZE} bytes. */
    static void write(InetSocketAddress address, long to) {
        write(address, family(address), to);
    }

    /** The length of a family's address, in bytes. */
    static int length(int family) {
        return family == Platform.AF_INET6 ? V6_SIZE : V4_SIZE;
    }

    /**
     * Writes an address for a socket of a family; for an IPv6 socket, an IPv4 address in its mapped form.
     *
     * @param family IPv6, or that of the address
     */
    static void write(InetSocketAddress address, int family, long to) {
        for (int i = 0; i < SIZE; i += Long.BYTES) NativeMemory.setLong(to + i, 0);
        boolean v6 = family == Platform.AF_INET6;
        if (Platform.MAC) { // a sockaddr begins with a byte of length and one of family, not with two of family
            NativeMemory.setByte(to, (byte) (v6 ? V6_SIZE : V4_SIZE));
            NativeMemory.setByte(to + 1, (byte) family);
        } else {
            NativeMemory.setShort(to, (short) family);
        }
        NativeMemory.setByte(to + PORT, (byte) (address.getPort() >>> 8));
        NativeMemory.setByte(to + PORT + 1, (byte) address.getPort());
        byte[] bytes = address.getAddress().getAddress();
        long start = to + (v6 ? V6_ADDRESS : V4_ADDRESS);
        if (v6 && bytes.length == 4) {
            NativeMemory.setShort(start + 10, (short) 0xffff);
            start += 12;
        }
        for (int i = 0; i < bytes.length; i++) NativeMemory.setByte(start + i, bytes[i]);
        if (address.getAddress() instanceof Inet6Address scoped)
            NativeMemory.setInt(to + V6_SCOPE, scoped.getScopeId());
    }

    /** Reads an address; null if it is of another family. */
    static @Nullable InetSocketAddress read(long from) {
        int family = Platform.MAC ? NativeMemory.getByte(from + 1) & 0xff : NativeMemory.getShort(from) & 0xffff;
        boolean v6 = family == Platform.AF_INET6;
        if (!v6 && family != Platform.AF_INET) return null;
        int port = (NativeMemory.getByte(from + PORT) & 0xff) << 8 | (NativeMemory.getByte(from + PORT + 1) & 0xff);
        byte[] bytes = new byte[v6 ? 16 : 4];
        long start = from + (v6 ? V6_ADDRESS : V4_ADDRESS);
        for (int i = 0; i < bytes.length; i++) bytes[i] = NativeMemory.getByte(start + i);
        int scope = v6 ? NativeMemory.getInt(from + V6_SCOPE) : 0;
        try {
            // An IPv4 address mapped into IPv6 becomes plain IPv4.
            InetAddress address =
                    scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException wrongLength) {
            throw new AssertionError(wrongLength);
        }
    }

    /** Returns {@code 127.0.0.1:80} or {@code [::1]:80}; the host's name if it is not resolved. */
    static String text(@Nullable InetSocketAddress address) {
        if (address == null) return "an unknown address";
        InetAddress host = address.getAddress();
        if (host == null) return address.getHostString() + ":" + address.getPort();
        return host instanceof Inet6Address
                ? "[" + host.getHostAddress() + "]:" + address.getPort()
                : host.getHostAddress() + ":" + address.getPort();
    }
}
