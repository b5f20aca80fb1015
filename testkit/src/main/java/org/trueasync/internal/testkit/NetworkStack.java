package org.trueasync.internal.testkit;

import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
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
import org.trueasync.spi.UdpHandle;

/**
 * One host's part of the {@link VirtualNetwork}: its sockets and ports. It is as old as the host's loop; the host's
 * next one has a stack of its own. Loop thread.
 */
final class NetworkStack {
    static final SystemError CLOSED = new SystemError("EBADF", "handle is closed");
    static final SystemError NOT_CONNECTED = new SystemError("ENOTCONN", "socket is not connected");
    static final SystemError BROKEN_PIPE = new SystemError("EPIPE", "broken pipe");
    static final SystemError RESET = new SystemError("ECONNRESET", "connection reset by peer");
    static final SystemError REFUSED = new SystemError("ECONNREFUSED", "connection refused");
    static final SystemError TIMED_OUT = new SystemError("ETIMEDOUT", "connection timed out");
    static final SystemError NO_ROUTE = new SystemError("EHOSTUNREACH", "no route to host");
    static final SystemError IN_USE = new SystemError("EADDRINUSE", "address already in use");
    static final SystemError NONE_LEFT = new SystemError("EADDRNOTAVAIL", "cannot assign requested address");
    private static final SystemError UNREACHABLE = new SystemError("ENETUNREACH", "network is unreachable");

    final VirtualNetwork network;
    /** Null: every address is this host. */
    final @Nullable InetAddress address;

    private final VirtualReactor host;
    private final String name;
    final UdpSockets udp = new UdpSockets(this);
    private final UnixSockets unix = new UnixSockets(this);
    /** For the JDK's channels. */
    final SelectorProvider channels = new VirtualChannels(this);

    /** By port; several share one only if all of them allow it. */
    private final Map<Integer, List<VirtualListener>> listeners = new HashMap<>();

    private final Set<Integer> clientPorts = new LinkedHashSet<>();
    private final Set<Handle> open = new LinkedHashSet<>();
    private final PortRange ports = new PortRange();

    /** What the end of the reactor ends. */
    interface Handle {
        /** Ends it as the end of the process does; its listener is told. */
        void end();
    }

    NetworkStack(VirtualNetwork network, VirtualReactor host, String name, @Nullable InetAddress address) {
        this.network = network;
        this.host = host;
        this.name = name;
        this.address = address;
    }

    /** Has something happen here in the next turn, before any timer. */
    void soon(Runnable event) {
        after(0, event);
    }

    /** Has something happen here. */
    void after(long nanos, Runnable event) {
        network.world.plan(host, nanos, event, null);
    }

    /** As {@link #after}, also if the program has ended by then: the system sends the rest of what it has written. */
    void afterAsSystem(long nanos, Runnable event) {
        network.world.plan(host, nanos, event, () -> {
            if (!host.isCut()) event.run();
        });
    }

    /** The monotonic time of the host. */
    long nanoTime() {
        return host.nanoTime();
    }

    /**
     * Has something happen here that another host has sent.
     *
     * @param lost called instead if this host is no more by then
     */
    void arrives(long nanos, Runnable event, Runnable lost) {
        network.world.plan(host, nanos, event, lost);
    }

    /** True once the host's loop has ended. */
    boolean isGone() {
        return host.isGone();
    }

    /** The addresses of a name that the network knows; null if it knows none of its hosts' names. */
    @Nullable
    List<InetAddress> addressesOf(String name) {
        return address == null ? null : network.addressesOf(name);
    }

    // ---- addresses

    VirtualListener listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        requireResolved(local);
        int port = local.getPort() == 0 ? freePort("listen on", local) : local.getPort();
        var binding = new Binding(local.getAddress(), options.reusePort(), options.ipv6Only());
        for (VirtualListener other : listeners.getOrDefault(port, List.of()))
            if (other.binding().excludes(binding)) throw failed("listen on", local, IN_USE);
        requireOwn("listen on", local);
        var bound = new InetSocketAddress(local.getAddress(), port);
        var made = new VirtualListener(this, bound, binding, options.backlog(), listener);
        listeners.computeIfAbsent(port, absent -> new ArrayList<>(1)).add(made);
        open.add(made);
        return made;
    }

    VirtualTcp connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        requireResolved(remote);
        InetAddress host = remote.getAddress();
        if (UdpSockets.isForMany(host)) throw failed("connect to", remote, UNREACHABLE);
        int port = freePort("connect to", remote);
        clientPorts.add(port);
        InetSocketAddress target = real(remote);
        var from = new InetSocketAddress(sourceFor(target.getAddress()), port);
        var client = new VirtualTcp(this, from, target, null, listener);
        open.add(client);
        client.connect(0);
        return client;
    }

    /** A client's first packet has arrived. */
    void arrived(VirtualTcp client) {
        VirtualListener found = listenerAt(client.remoteAddress());
        if (found != null) found.arrived(client);
        else client.refuse(this);
    }

    boolean isOwn(InetAddress target) {
        return address == null || target.isLoopbackAddress() || target.equals(address);
    }

    void requireOwn(String operation, InetSocketAddress local) {
        if (!local.getAddress().isAnyLocalAddress() && !isOwn(local.getAddress()))
            throw failed(operation, local, NONE_LEFT);
    }

    /** The address that is meant: as a target the wildcard is this host. */
    static InetSocketAddress real(InetSocketAddress target) {
        return target.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(loopbackLike(target.getAddress()), target.getPort())
                : target;
    }

    /** This host's address for what is sent to another one. */
    InetAddress sourceFor(InetAddress target) {
        if (address != null && !target.isLoopbackAddress()) return address;
        return UdpSockets.isForMany(target) ? loopbackLike(target) : target;
    }

    private static InetAddress loopbackLike(InetAddress other) {
        return InetAddress.ofLiteral(other instanceof Inet6Address ? "::1" : "127.0.0.1");
    }

    private @Nullable VirtualListener listenerAt(InetSocketAddress target) {
        List<VirtualListener> there = listeners.get(target.getPort());
        if (there == null) return null;
        for (VirtualListener one : there) {
            if (!one.binding().takes(target.getAddress())) continue;
            there.remove(one); // those that share a port take turns
            there.add(one);
            return one;
        }
        return null;
    }

    private int freePort(String operation, InetSocketAddress address) {
        int port = ports.next(taken -> listeners.containsKey(taken) || clientPorts.contains(taken));
        if (port < 0) throw failed(operation, address, NONE_LEFT);
        return port;
    }

    VirtualListener listenUnix(Path path, int backlog, ListenHandle.Listener listener) {
        VirtualListener made = unix.listen(path, backlog, listener);
        open.add(made);
        return made;
    }

    VirtualTcp connectUnix(Path path, StreamHandle.Listener listener) {
        VirtualTcp client = unix.connect(path, listener);
        open.add(client);
        return client;
    }

    VirtualUdp bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        requireResolved(local);
        VirtualUdp made = udp.bind(local, options, listener);
        open.add(made);
        return made;
    }

    /**
     * The address that a client is bound to.
     *
     * @param wanted null: any
     * @param again whether it is bound already
     */
    InetSocketAddress clientAddress(@Nullable InetSocketAddress wanted, boolean again) throws BindException {
        if (again) throw new AlreadyBoundException();
        if (wanted != null && wanted.getPort() != 0)
            throw new BindException("a simulated client has no port of its choice");
        if (wanted != null && !wanted.getAddress().isAnyLocalAddress() && !isOwn(wanted.getAddress()))
            throw new BindException("Cannot assign requested address");
        return wanted == null ? new InetSocketAddress(0) : wanted;
    }

    // ---- handles

    void opened(Handle handle) {
        open.add(handle);
    }

    void closed(VirtualListener listener) {
        open.remove(listener);
        switch (listener.localAddress()) {
            case UnixDomainSocketAddress local -> unix.closed(local.getPath(), listener);
            case InetSocketAddress local -> {
                List<VirtualListener> there = listeners.get(local.getPort());
                if (there != null && there.remove(listener) && there.isEmpty()) listeners.remove(local.getPort());
            }
            default -> throw new IllegalStateException("Bug in TrueAsync: " + listener);
        }
    }

    void closed(VirtualTcp stream, int localPort) {
        clientPorts.remove(localPort);
        open.remove(stream);
    }

    void gone(Handle handle) {
        open.remove(handle);
    }

    /** Resets the connections with other hosts; returns how many. While no loop of the world runs. */
    int resetConnections() {
        int count = 0;
        for (Handle handle : open) {
            if (!(handle instanceof VirtualTcp stream)
                    || isOwn(stream.remoteAddress().getAddress())) continue;
            stream.resetBoth();
            count++;
        }
        return count;
    }

    int openHandles() {
        return open.size();
    }

    /** The host is no more: its handles are gone, and nobody is told. */
    void cut() {
        open.clear();
        listeners.clear();
        udp.clear();
        unix.clear();
        network.left(this, true);
    }

    /** Ends all of them, even if a listener throws. */
    void end() {
        network.left(this, false);
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

    static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved())
            throw new IllegalArgumentException("host '" + address.getHostString() + "' is not resolved");
    }

    static InputOutputException failed(String operation, SocketAddress address, SystemError error) {
        return new InputOutputException(operation + " " + text(address) + ": " + error, error.errno());
    }

    static String text(SocketAddress any) {
        if (!(any instanceof InetSocketAddress address)) return any.toString();
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    @Override
    public String toString() {
        return name;
    }
}
