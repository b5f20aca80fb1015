package org.trueasync.internal.testkit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * TCP between the coroutines of one run, without an operating system: every address is this host. What is sent arrives
 * after the latency, whole and in order, as TCP promises; with a {@link Chance} it takes longer at times, and
 * connections overtake each other. Loop thread.
 */
final class VirtualNetwork {
    static final SystemError CLOSED = new SystemError("EBADF", "handle is closed");
    static final SystemError NOT_CONNECTED = new SystemError("ENOTCONN", "socket is not connected");
    static final SystemError BROKEN_PIPE = new SystemError("EPIPE", "broken pipe");
    static final SystemError RESET = new SystemError("ECONNRESET", "connection reset by peer");
    static final SystemError REFUSED = new SystemError("ECONNREFUSED", "connection refused");
    private static final SystemError IN_USE = new SystemError("EADDRINUSE", "address already in use");
    private static final SystemError NONE_LEFT = new SystemError("EADDRNOTAVAIL", "cannot assign requested address");
    private static final SystemError UNREACHABLE = new SystemError("ENETUNREACH", "network is unreachable");

    /** One way, in nanoseconds: as between two machines of one rack. */
    private static final long LATENCY = 50_000;

    private static final int FIRST_PORT = 32_768;
    private static final int LAST_PORT = 60_999;

    private final VirtualReactor reactor;
    private final @Nullable Chance chance;
    /** By port; several share one only if all of them allow it. */
    private final Map<Integer, List<VirtualListener>> listeners = new HashMap<>();

    private final Set<Integer> clientPorts = new LinkedHashSet<>();
    private final Set<Handle> open = new LinkedHashSet<>();
    private int lastPort = FIRST_PORT - 1;

    /** What the end of the reactor ends. */
    interface Handle {
        /** Ends it without telling a peer; its listener is told. */
        void end();
    }

    VirtualNetwork(VirtualReactor reactor, @Nullable Chance chance) {
        this.reactor = reactor;
        this.chance = chance;
    }

    // ---- time

    /** Has something happen at the other end. */
    void send(Runnable arrival) {
        reactor.after(chance == null ? LATENCY : LATENCY + chance.atMost(LATENCY), arrival);
    }

    /** Has something happen here in the next turn, before any timer. */
    void soon(Runnable event) {
        reactor.after(0, event);
    }

    /** How much of what has arrived is delivered at once, at most: a system may tear it anywhere. */
    int portion(int most) {
        return chance == null || !chance.oneIn(4) ? most : 1 + chance.below(chance.oneIn(2) ? 16 : most);
    }

    // ---- addresses

    VirtualListener listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        requireResolved(local);
        int port = local.getPort() == 0 ? freePort("listen on", local) : local.getPort();
        List<VirtualListener> there = listeners.computeIfAbsent(port, absent -> new ArrayList<>(1));
        for (VirtualListener other : there)
            if (other.excludes(local, options)) throw failed("listen on", local, IN_USE);
        var made = new VirtualListener(this, new InetSocketAddress(local.getAddress(), port), options, listener);
        there.add(made);
        open.add(made);
        return made;
    }

    VirtualTcp connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        requireResolved(remote);
        InetAddress host = remote.getAddress();
        if (host.isMulticastAddress() || host.getHostAddress().equals("255.255.255.255"))
            throw failed("connect to", remote, UNREACHABLE);
        int port = freePort("connect to", remote);
        clientPorts.add(port);
        InetAddress from = host.isAnyLocalAddress() ? loopbackLike(host) : host;
        var target = new InetSocketAddress(from, remote.getPort());
        var client = new VirtualTcp(this, new InetSocketAddress(from, port), target, listener);
        open.add(client);
        send(() -> {
            VirtualListener found = listenerAt(target);
            if (found != null) found.arrived(client);
            else send(() -> client.connected(REFUSED));
        });
        return client;
    }

    private static InetAddress loopbackLike(InetAddress any) {
        return InetAddress.ofLiteral(any instanceof Inet6Address ? "::1" : "127.0.0.1");
    }

    private @Nullable VirtualListener listenerAt(InetSocketAddress target) {
        List<VirtualListener> there = listeners.get(target.getPort());
        if (there == null) return null;
        for (VirtualListener one : there) {
            if (!one.takes(target.getAddress())) continue;
            there.remove(one); // those that share a port take turns
            there.add(one);
            return one;
        }
        return null;
    }

    private int freePort(String operation, InetSocketAddress address) {
        for (int tried = FIRST_PORT; tried <= LAST_PORT; tried++) {
            lastPort = lastPort == LAST_PORT ? FIRST_PORT : lastPort + 1;
            if (!listeners.containsKey(lastPort) && !clientPorts.contains(lastPort)) return lastPort;
        }
        throw failed(operation, address, NONE_LEFT);
    }

    // ---- handles

    void opened(Handle handle) {
        open.add(handle);
    }

    void closed(VirtualListener listener) {
        int port = listener.localAddress().getPort();
        List<VirtualListener> there = listeners.get(port);
        if (there != null && there.remove(listener) && there.isEmpty()) listeners.remove(port);
        open.remove(listener);
    }

    void closed(VirtualTcp stream, int localPort) {
        clientPorts.remove(localPort);
        open.remove(stream);
    }

    int openHandles() {
        return open.size();
    }

    /** Ends all of them, even if a listener throws. */
    void end() {
        RuntimeException failed = null;
        for (Handle handle : List.copyOf(open)) {
            try {
                handle.end();
            } catch (RuntimeException e) {
                failed = e;
            }
        }
        if (failed != null) throw failed;
    }

    // ---- errors

    private static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved())
            throw new IllegalArgumentException("host '" + address.getHostString() + "' is not resolved");
    }

    static InputOutputException failed(String operation, InetSocketAddress address, SystemError error) {
        return new InputOutputException(operation + " " + text(address) + ": " + error, error.errno());
    }

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
