package org.trueasync.internal.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trueasync.spi.UdpHandle;

/** The UDP sockets of a {@link NetworkStack}, and what it does with a datagram that arrives. */
final class UdpSockets {
    private final NetworkStack stack;
    private final PortRange ports = new PortRange();
    /** By port, the youngest last; several share one only if all of them allow it. */
    private final Map<Integer, List<VirtualUdp>> byPort = new HashMap<>();

    UdpSockets(NetworkStack stack) {
        this.stack = stack;
    }

    VirtualUdp bind(InetSocketAddress wanted, UdpHandle.Options options, UdpHandle.Listener listener) {
        var binding = new Binding(wanted.getAddress(), options.reuseAddress(), options.ipv6Only());
        int port = wanted.getPort() == 0 ? ports.next(byPort::containsKey) : wanted.getPort();
        if (port < 0) throw NetworkStack.failed("bind UDP", wanted, NetworkStack.NONE_LEFT);
        for (VirtualUdp other : byPort.getOrDefault(port, List.of()))
            if (other.binding().excludes(binding)) throw NetworkStack.failed("bind UDP", wanted, NetworkStack.IN_USE);
        stack.requireOwn("bind UDP", wanted);
        var made = new VirtualUdp(stack, new InetSocketAddress(wanted.getAddress(), port), binding, listener);
        byPort.computeIfAbsent(port, absent -> new ArrayList<>(1)).add(made);
        return made;
    }

    void closed(VirtualUdp socket) {
        int port = socket.localAddress().getPort();
        List<VirtualUdp> there = byPort.get(port);
        if (there != null && there.remove(socket) && there.isEmpty()) byPort.remove(port);
    }

    void clear() {
        byPort.clear();
    }

    /**
     * A datagram has arrived.
     *
     * @param sender is told if nobody has this port
     */
    void arrived(VirtualUdp sender, VirtualUdp.Datagram datagram, InetSocketAddress to) {
        List<VirtualUdp> there = byPort.getOrDefault(to.getPort(), List.of());
        if (isForMany(to.getAddress())) {
            for (VirtualUdp one : List.copyOf(there))
                if (one.takesOfMany(datagram, to.getAddress())) one.arrived(datagram);
            return;
        }
        VirtualUdp found = null;
        int best = 1;
        for (VirtualUdp one : there) {
            int fit = one.fits(datagram, to.getAddress());
            if (fit < best) continue;
            best = fit;
            found = one;
        }
        if (found != null) found.arrived(datagram);
        else stack.network.sendDatagram(stack, sender.stack(), () -> sender.refused(to));
    }

    static boolean isForMany(InetAddress address) {
        return address.isMulticastAddress() || isBroadcast(address);
    }

    static boolean isBroadcast(InetAddress address) {
        return address.getHostAddress().equals("255.255.255.255");
    }
}
