package org.trueasync.internal.io;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.DnsException;
import org.trueasync.internal.kernel.Runtimes;

/** Host names, addresses, and their text. */
public final class Addresses {
    private Addresses() {}

    /**
     * Returns the addresses of a host; suspends for a look-up unless it is a literal.
     *
     * @param host name or literal, not empty
     * @param token ends the wait for the look-up, or null
     * @throws IllegalArgumentException if the host is blank
     * @throws DnsException if there is no such host; its message has the name
     */
    static List<InetAddress> resolve(String host, @Nullable Completable<?> token) {
        if (host.isBlank())
            throw new IllegalArgumentException("host must be a name or an address, got '" + shown(host) + "'");
        return Lookups.ofName(Runtimes.here("look-up of a host"), host, token);
    }

    /** See {@link HostNames#shown}. */
    static String shown(String host) {
        return HostNames.shown(host);
    }

    /**
     * Throws if a port is out of range.
     *
     * @param minPort 0 where port 0 means any free one, else 1
     */
    static void requirePort(int port, int minPort) {
        if (port < minPort || port > 65_535)
            throw new IllegalArgumentException("port must be " + minPort + " to 65535, got " + port);
    }

    /**
     * Returns {@code 127.0.0.1:80} or {@code [::1]:80}.
     *
     * @param address resolved or not; null if unknown
     */
    static String text(@Nullable InetSocketAddress address) {
        if (address == null) return "unknown";
        InetAddress ip = address.getAddress();
        String host = ip == null ? address.getHostString() : ip.getHostAddress();
        return (ip instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
