package org.trueasync.reactor.libuv;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/** A TCP connection: {@code uv_tcp_t}. */
final class UvTcp extends UvStream implements TcpHandle {
    private final @Nullable InetSocketAddress remote;

    private UvTcp(UvReactor reactor, Listener listener, @Nullable InetSocketAddress remote) {
        super(reactor, listener, UvLayouts.TCP_SIZE);
        this.remote = remote;
    }

    private int initialise() {
        int status = initialised(Uv.tcpInit(reactor.loop, address, 0));
        // libuv remembers this and applies it when the socket exists.
        return status < 0 ? status : Uv.tcpNoDelay(address, 1);
    }

    /** Returns a stream that connects. */
    static UvTcp connecting(UvReactor reactor, InetSocketAddress remote, Listener listener) {
        UvTcp stream = new UvTcp(reactor, listener, remote);
        int status = stream.initialise();
        if (status >= 0) {
            SocketAddresses.write(remote, reactor.socketAddress);
            status = Uv.tcpConnect(stream.connectRequest(), stream.address, reactor.socketAddress, Upcalls.CONNECTED);
        }
        if (status >= 0) return stream;
        stream.abandon();
        throw UvErrors.exception("connect to", remote, status);
    }

    /**
     * Returns a stream on an accepted socket, which it takes over.
     *
     * @param server address of the server, for the message
     * @throws InputOutputException if libuv refuses; the socket is closed then
     */
    static UvTcp accepted(
            UvReactor reactor, int socket, String server, @Nullable InetSocketAddress remote, Listener listener) {
        UvTcp stream;
        try {
            stream = new UvTcp(reactor, listener, remote);
        } catch (OutOfMemoryError full) {
            Libc.close(socket);
            throw full;
        }
        int status = stream.initialise();
        if (status >= 0) status = Uv.tcpOpen(stream.address, socket);
        if (status >= 0) {
            stream.connected(true, true);
            return stream;
        }
        Libc.close(socket);
        stream.abandon();
        throw UvErrors.exception("accept on", server, status);
    }

    @Override
    public @Nullable SystemError noDelay(boolean on) {
        reactor.requireLoopThread("noDelay");
        if (isClosed()) return UvErrors.CLOSED;
        return UvErrors.orNull(Uv.tcpNoDelay(address, on ? 1 : 0));
    }

    @Override
    public @Nullable SystemError keepAlive(int idle, int interval, int probes) {
        if (idle < 0) throw new IllegalArgumentException("keep-alive must be >= 0 s, got " + idle);
        reactor.requireLoopThread("keepAlive");
        if (isClosed()) return UvErrors.CLOSED;
        int status = Uv.tcpKeepAlive(address, idle == 0 ? 0 : 1, Math.max(idle, 1));
        if (status < 0 || idle == 0) return UvErrors.orNull(status);
        // libuv sets interval and probes to values of its own; only since 1.52 it takes ours
        status = reactor.keepAlive(address, interval, probes);
        return UvErrors.orNull(status);
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        reactor.requireLoopThread("localAddress");
        return isClosed() ? null : reactor.localAddress(address);
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public String toString() {
        return "tcp stream to " + SocketAddresses.text(remote) + (isClosed() ? ", closed" : "");
    }
}
