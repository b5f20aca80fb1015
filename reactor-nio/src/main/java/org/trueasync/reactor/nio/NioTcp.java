package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/** A TCP stream. */
final class NioTcp extends NioStream implements TcpHandle {
    private final @Nullable InetSocketAddress remote;

    NioTcp(
            NioReactor reactor,
            SocketChannel channel,
            boolean connected,
            @Nullable InetSocketAddress remote,
            Listener listener) {
        this.remote = remote;
        super(reactor, channel, connected, listener);
    }

    /** Returns a stream that connects. */
    static NioTcp connecting(NioReactor reactor, InetSocketAddress remote, Listener listener) {
        SocketChannel channel;
        try {
            channel = reactor.open(() -> SocketChannel.open(family(remote)));
        } catch (IOException e) {
            throw NioErrors.exception("connect to", remote, e);
        } catch (UnsupportedOperationException noIpv6) {
            throw NioErrors.exception("connect to", remote, NioErrors.NO_FAMILY);
        }
        boolean isConnected = false;
        SystemError refused = null;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            isConnected = channel.connect(remote);
        } catch (IOException e) {
            refused = SystemError.of(e);
            if (!refused.errno().equals("ECONNREFUSED")) {
                closeQuietly(channel);
                throw NioErrors.exception("connect to", remote, refused);
            }
        }
        var stream = new NioTcp(reactor, channel, false, remote, listener);
        stream.begun(isConnected, refused);
        return stream;
    }

    static ProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    @Override
    public @Nullable SystemError noDelay(boolean on) {
        reactor.requireLoopThread("noDelay");
        if (isClosed()) return NioErrors.CLOSED;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, on);
            return null;
        } catch (IOException e) {
            return SystemError.of(e);
        }
    }

    @Override
    public @Nullable SystemError keepAlive(int idle, int interval, int probes) {
        if (idle < 0) throw new IllegalArgumentException("keep-alive must be >= 0 s, got " + idle);
        reactor.requireLoopThread("keepAlive");
        if (isClosed()) return NioErrors.CLOSED;
        try {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, idle > 0);
            if (idle > 0 && channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, idle);
                channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, interval);
                channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, probes);
            }
            return null;
        } catch (IOException e) {
            return SystemError.of(e);
        }
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        reactor.requireLoopThread("localAddress");
        if (isClosed()) return null;
        try {
            return channel.getLocalAddress() instanceof InetSocketAddress local ? local : null;
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public String toString() {
        return "tcp stream to " + NioErrors.text(remote) + (isClosed() ? ", closed" : "");
    }
}
