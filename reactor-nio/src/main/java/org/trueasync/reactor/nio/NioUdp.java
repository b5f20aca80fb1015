package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/** A UDP socket. */
final class NioUdp extends SelectedHandle implements UdpHandle {
    /*
     * As with listeners, readiness is reported once, until receive() has found nothing. Datagrams are received into a
     * buffer of ours that is larger than any datagram, because the JDK does not say whether one was cut.
     *
     * The JDK's send returns 0 for "no room" and also for an empty datagram that was sent; so an empty one counts as
     * sent. From a connected socket the JDK silently sends no empty datagram. To disconnect for a moment instead would
     * lose datagrams that have come from the peer.
     */
    private static final SystemError NO_EMPTY =
            NioErrors.unsupported("way to send an empty datagram from a connected socket");
    private static final SystemError NO_PEER = new SystemError("EDESTADDRREQ", "destination address required");
    private static final SystemError HAS_PEER = new SystemError("EISCONN", "socket is already connected");

    private final DatagramChannel channel;
    private final InetSocketAddress local;
    private final Memberships memberships;
    private final Listener listener;
    private @Nullable InetSocketAddress remote;
    private boolean reported;

    private NioUdp(NioReactor reactor, DatagramChannel channel, InetSocketAddress local, Listener listener) {
        this.channel = channel;
        this.local = local;
        this.memberships = new Memberships(channel);
        this.listener = listener;
        super(reactor, channel);
        reactor.opened(this);
        want(SelectionKey.OP_READ);
    }

    static NioUdp bound(NioReactor reactor, InetSocketAddress address, Options options, Listener listener) {
        if (options.ipv6Only() && address.getAddress() instanceof Inet6Address v6 && v6.isAnyLocalAddress()) {
            throw NioErrors.exception(
                    "bind UDP", address, NioErrors.unsupported("way to keep IPv4 out of an IPv6 socket"));
        }
        try {
            DatagramChannel channel = reactor.open(() -> DatagramChannel.open(NioTcp.family(address)));
            try {
                channel.configureBlocking(false);
                if (options.reuseAddress()) channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(address);
                return new NioUdp(reactor, channel, (InetSocketAddress) channel.getLocalAddress(), listener);
            } catch (Throwable e) {
                closeQuietly(channel);
                throw e;
            }
        } catch (IOException e) {
            throw NioErrors.exception("bind UDP", address, e);
        } catch (UnsupportedOperationException noIpv6) {
            throw NioErrors.exception("bind UDP", address, NioErrors.NO_FAMILY);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    void ready(int operations) {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            unwant(SelectionKey.OP_WRITE);
            listener.onWritable();
        }
        if ((operations & SelectionKey.OP_READ) == 0 || isClosed()) return;
        if (reported) {
            unwant(SelectionKey.OP_READ);
            return;
        }
        reported = true;
        listener.onReadable();
    }

    @Override
    public @Nullable Received receive(ByteBuffer into) {
        reactor.requireLoopThread("receive");
        requireOpen("receive");
        ByteBuffer whole = reactor.datagramBuffer();
        SocketAddress from;
        try {
            from = channel.receive(whole);
        } catch (IOException e) {
            throw NioErrors.exception("receive on", local, e);
        }
        if (from == null) {
            reported = false;
            want(SelectionKey.OP_READ);
            return null;
        }
        int length = whole.flip().remaining();
        into.put(whole.limit(Math.min(length, into.remaining())));
        return new Received((InetSocketAddress) from, length);
    }

    @Override
    public boolean send(ByteBuffer datagram, @Nullable InetSocketAddress to) {
        reactor.requireLoopThread("send");
        requireOpen("send");
        if (to != null) NioErrors.requireResolved(to);
        InetSocketAddress peer = remote;
        SocketAddress target = to != null ? to : peer;
        if (target == null) throw NioErrors.exception("send from", local, NO_PEER);
        if (to != null && peer != null) throw NioErrors.exception("send to", to, HAS_PEER);
        boolean empty = !datagram.hasRemaining();
        if (empty && peer != null) throw NioErrors.exception("send to", target, NO_EMPTY);
        try {
            int taken = peer == null ? channel.send(datagram, target) : channel.write(datagram);
            if (taken > 0 || empty) return true;
        } catch (IOException e) {
            throw NioErrors.exception("send to", target, e);
        } catch (UnsupportedAddressTypeException e) {
            throw NioErrors.exception("send to", target, NioErrors.NO_FAMILY);
        }
        want(SelectionKey.OP_WRITE);
        return false;
    }

    @Override
    public @Nullable SystemError connect(InetSocketAddress to) {
        reactor.requireLoopThread("connect");
        NioErrors.requireResolved(to);
        return attempt(() -> {
            if (remote != null) channel.disconnect(); // the JDK keeps the port
            remote = null;
            channel.connect(to);
            remote = to;
        });
    }

    @Override
    public @Nullable SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        reactor.requireLoopThread("join");
        return isClosed() ? NioErrors.CLOSED : memberships.join(group, on, source);
    }

    @Override
    public @Nullable SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        reactor.requireLoopThread("leave");
        return isClosed() ? NioErrors.CLOSED : memberships.leave(group, on, source);
    }

    @Override
    public @Nullable SystemError multicastInterface(NetworkInterface out) {
        return set(StandardSocketOptions.IP_MULTICAST_IF, out);
    }

    @Override
    public @Nullable SystemError multicastHops(int hops) {
        if (hops < 0 || hops > 255) throw new IllegalArgumentException("hops must be 0 to 255, got " + hops);
        return set(StandardSocketOptions.IP_MULTICAST_TTL, hops);
    }

    @Override
    public @Nullable SystemError multicastLoop(boolean on) {
        return set(StandardSocketOptions.IP_MULTICAST_LOOP, on);
    }

    @Override
    public @Nullable SystemError broadcast(boolean on) {
        return set(StandardSocketOptions.SO_BROADCAST, on);
    }

    private <T> @Nullable SystemError set(SocketOption<T> option, T value) {
        reactor.requireLoopThread("set " + option.name());
        return attempt(() -> channel.setOption(option, value));
    }

    private @Nullable SystemError attempt(Attempt attempt) {
        if (isClosed()) return NioErrors.CLOSED;
        try {
            attempt.make();
            return null;
        } catch (IOException e) {
            return SystemError.of(e);
        } catch (UnsupportedAddressTypeException e) {
            return NioErrors.NO_FAMILY;
        }
    }

    private interface Attempt {
        void make() throws IOException;
    }

    /** Closes the channel; the port is free when this returns. */
    @Override
    void release() {
        super.release();
        reactor.flush();
    }

    @Override
    void finished() {
        listener.onClosed();
    }

    @Override
    public String toString() {
        return "udp socket on " + NioErrors.text(local) + (isClosed() ? ", closed" : "");
    }
}
