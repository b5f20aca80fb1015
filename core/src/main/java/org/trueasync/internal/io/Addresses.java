package org.trueasync.internal.io;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.DnsException;

/** Host names, addresses, and their text. */
public final class Addresses {
    private static final int MOST_SHOWN = 100;

    private Addresses() {}

    /**
     * The addresses of a host; suspends for a look-up unless it is a literal.
     *
     * @param host name or literal, not empty
     * @param token gives the look-up up, or null
     * @throws DnsException if there is no such host; names it
     */
    static List<InetAddress> resolve(String host, @Nullable Completable<?> token) {
        if (host.isBlank())
            throw new IllegalArgumentException("host must be a name or an address, got '" + shown(host) + "'");
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            // not a literal
        }
        // The JDK's look-up blocks its thread, so it gets one of its own.
        var found = new CompletableFuture<List<InetAddress>>();
        Thread.ofPlatform().daemon().name("look-up of " + shown(host)).start(() -> {
            try {
                found.complete(List.of(InetAddress.getAllByName(host)));
            } catch (UnknownHostException e) {
                found.completeExceptionally(unknown(host, e));
            } catch (Throwable e) {
                found.completeExceptionally(e);
            }
        });
        return token == null ? Async.await(found) : Async.await(found, token);
    }

    /** The JDK's error repeats the name, so it is not passed on where the name is too long to be read. */
    private static DnsException unknown(String host, UnknownHostException error) {
        return new DnsException("no address found for host '" + shown(host) + "'", isLong(host) ? null : error);
    }

    private static boolean isLong(String host) {
        return host.length() > MOST_SHOWN;
    }

    /** A host name as messages show it: of a long one the beginning, and how long it is. */
    static String shown(String host) {
        return isLong(host) ? host.substring(0, MOST_SHOWN) + "... (" + host.length() + " characters)" : host;
    }

    /**
     * Checks a port.
     *
     * @param least 0 where it means any free one, else 1
     */
    static void requirePort(int port, int least) {
        if (port < least || port > 65_535)
            throw new IllegalArgumentException("port must be " + least + " to 65535, got " + port);
    }

    /**
     * {@code 127.0.0.1:80}, {@code [::1]:80}.
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
