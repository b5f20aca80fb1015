package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.DnsException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;

/**
 * Look-ups of names and addresses by the JDK's own resolver, which blocks its thread: each runs on a helper thread, so
 * that only the coroutine waits. A look-up can't be stopped; if its caller stops waiting, it keeps its thread until the
 * resolver gives up.
 */
public final class Lookups {
    private Lookups() {}

    /**
     * Returns the addresses of a host; suspends, unless it is a literal.
     *
     * @param loop of the running coroutine
     * @param host name or literal
     * @param token ends the wait, or null
     * @return at least one
     * @throws DnsException if there is no such host, or the text can't be one; its message has the name
     */
    public static List<InetAddress> ofName(Loop loop, String host, @Nullable Completable<?> token) {
        Awaiting.admit(token);
        List<InetAddress> known = known(loop, host);
        if (known != null) {
            loop.shareLoop();
            return found(host, known);
        }
        return Objects.requireNonNull(event(loop, host).await(token));
    }

    /**
     * Returns the look-up of a host's addresses, as an event that has not begun.
     *
     * @param loop whose coroutines wait
     * @param host name or literal
     * @throws DnsException if the text can't be a host
     */
    public static Work<List<InetAddress>> event(Loop loop, String host) {
        List<InetAddress> known = known(loop, host);
        return new Work<>(
                loop,
                Workers.NAMES,
                "look-up of host " + HostNames.shown(host),
                () -> known != null ? found(host, known) : find(host),
                null);
    }

    /**
     * Returns the name of an address; suspends.
     *
     * @param loop of the running coroutine
     * @param address to look up
     * @param token ends the wait, or null
     * @throws DnsException if it has no name; its message has the address
     */
    public static String ofAddress(Loop loop, InetAddress address, @Nullable Completable<?> token) {
        return Objects.requireNonNull(event(loop, address).await(token));
    }

    /**
     * Returns the look-up of an address's name, as an event that has not begun.
     *
     * @param loop whose coroutines wait
     * @param address to look up
     */
    public static Work<String> event(Loop loop, InetAddress address) {
        Objects.requireNonNull(address, "address");
        String text = address.getHostAddress();
        return new Work<>(loop, Workers.NAMES, "look-up of address " + text, () -> find(address), null);
    }

    /**
     * Makes a look-up that blocks its thread: on a helper thread if the caller is a coroutine that can suspend, else on
     * the calling thread.
     *
     * @param what it is, for reports
     * @param lookUp blocks; runs on any thread, and a second time if the coroutine turns out to be pinned
     * @return the look-up's result
     * @throws UnknownHostException if the look-up throws it
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static <T> T offLoop(String what, Callable<T> lookUp) throws UnknownHostException {
        try {
            Loop loop = Runtimes.hereOrNull();
            if (loop == null || !loop.maySuspend()) return lookUp.call();
            try {
                return Work.<T>await(loop, Workers.RESOLVERS, what, lookUp, null, null);
            } catch (AsyncException e) {
                if (!loop.isPinned(e)) throw e;
                return lookUp.call();
            }
        } catch (UnknownHostException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(what + " failed", e);
        }
    }

    /** Returns the addresses if no resolver is to be asked, else null. */
    private static @Nullable List<InetAddress> known(Loop loop, String host) {
        List<InetAddress> literal = literal(host);
        return literal != null ? literal : loop.reactor().addressesOf(host);
    }

    private static List<InetAddress> found(String host, List<InetAddress> addresses) {
        if (addresses.isEmpty()) throw unknown(host, null);
        return addresses;
    }

    /** Returns the address if the host is a literal, null if it is a name. */
    private static @Nullable List<InetAddress> literal(String host) {
        Objects.requireNonNull(host, "host");
        if (host.isBlank()) throw malformed(host, "a host can't be blank");
        if (host.indexOf('\0') >= 0) throw malformed(host, "it has a zero byte in it");
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    /** On a helper thread. */
    private static List<InetAddress> find(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            // The JDK's error repeats the name, so it is not passed on where the name is too long to be read.
            throw unknown(host, HostNames.isLong(host) ? null : e);
        } catch (RuntimeException e) {
            throw new DnsException("look-up of host '" + HostNames.shown(host) + "' failed: " + e, e);
        }
    }

    /** On a helper thread. */
    private static String find(InetAddress address) {
        String text = address.getHostAddress();
        // The object remembers the name that it was made with; a new one asks the resolver.
        String name;
        try {
            name = InetAddress.getByAddress(address.getAddress()).getCanonicalHostName();
        } catch (UnknownHostException | RuntimeException e) {
            throw new DnsException("look-up of address " + text + " failed: " + e, e);
        }
        if (name.equals(text) || isLiteral(name)) throw new DnsException("no name found for address " + text, null);
        return name;
    }

    private static boolean isLiteral(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static DnsException unknown(String host, @Nullable Throwable cause) {
        return new DnsException("no address found for host '" + HostNames.shown(host) + "'", cause);
    }

    private static DnsException malformed(String host, String why) {
        return new DnsException("no address found for host '" + HostNames.shown(host) + "': " + why, null);
    }
}
