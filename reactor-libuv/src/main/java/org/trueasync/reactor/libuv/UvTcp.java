package org.trueasync.reactor.libuv;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A TCP connection: {@code uv_tcp_t}, which connects, is closed, and writes what the system does not take at once.
 */
final class UvTcp extends UvStream implements TcpHandle {
    /*
     * On Linux libuv never reads: ReadySockets tells when there is something, and we receive it. We also send what the
     * system takes at once. If no descriptor was left for ReadySockets, libuv reads this connection for good.
     *
     * After a report the connection is `ready`, until a receive has emptied it. A receive that got less than it had
     * room for has done so, if the end is not behind the bytes: what comes afterwards is reported again.
     */
    private final @Nullable InetSocketAddress remote;
    private int socket = -1;
    private boolean readByLibuv;
    private boolean watched;
    private boolean ready;
    /** True once the end or an error has been reported. */
    private boolean ended;

    private UvTcp(UvReactor reactor, Listener listener, @Nullable InetSocketAddress remote) {
        super(reactor, listener, UvLayouts.TCP_SIZE);
        this.remote = remote;
    }

    private int initialise() {
        if (!Platform.MAC) TcpCalls.prepare();
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
            stream.socket = socket;
            stream.connected(true, true);
            return stream;
        }
        Libc.close(socket);
        stream.abandon();
        throw UvErrors.exception("accept on", server, status);
    }

    /** The descriptor, or a negative errno. The connection must be open. */
    private int socket() {
        if (socket < 0) socket = reactor.descriptorOf(address);
        return socket;
    }

    // ---- reading

    @Override
    public @Nullable SystemError startReading() {
        if (readByLibuv) return super.startReading();
        SystemError unfit = unfitToRead();
        if (unfit != null) return unfit;
        if (!watched) {
            ReadySockets sockets = reactor.readySockets();
            if (sockets == null) {
                readByLibuv = true;
                return super.startReading();
            }
            int status = socket();
            if (status >= 0) status = sockets.add(this, socket);
            if (status < 0) return UvErrors.of(status);
            watched = true;
        }
        wanted = true;
        if (ready) reactor.defer(this);
        return null;
    }

    /**
     * Called when there is something to read.
     *
     * @param end whether that is the end or an error, or one of them is behind the bytes
     */
    void ready(boolean end) {
        if (isClosed()) return;
        ready = true;
        ended |= end;
        if (wanted) receive();
    }

    private void receive() {
        int count = readNow(socket);
        if (count > 0) {
            listener.onBytes(reactor.received(count));
            if (ready && wanted && !isClosed()) reactor.defer(this);
        } else if (count != -Platform.EAGAIN) {
            wanted = false;
            if (count == 0) listener.onEnd();
            else listener.onReadError(UvErrors.of(count));
        }
    }

    @Override
    int readNow(int descriptor) {
        if (Platform.MAC) return super.readNow(descriptor);
        int count = TcpCalls.receive(reactor.errno(), descriptor, reactor.readAddress, UvReactor.CHUNK);
        boolean emptied = count == -Platform.EAGAIN || (count > 0 && count < UvReactor.CHUNK && !ended);
        if (emptied) ready = false;
        return count;
    }

    @Override
    void runDeferred() {
        super.runDeferred();
        if (watched && ready && wanted && !isClosed()) receive();
    }

    @Override
    void beforeClose() {
        ReadySockets sockets = watched ? reactor.readySockets() : null;
        if (sockets != null) sockets.remove(socket);
    }

    // ---- writing

    @Override
    int writeNow(long bytes, int length) {
        if (Platform.MAC) return super.writeNow(bytes, length);
        if (shutting) return -Platform.EPIPE;
        int descriptor = socket();
        return descriptor < 0 ? descriptor : TcpCalls.send(reactor.errno(), descriptor, bytes, length);
    }

    // ---- options

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
