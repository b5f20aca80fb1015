package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.AbstractReactor;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;

/** A listening socket, of TCP or Unix. */
final class NioListener extends SelectedHandle implements ListenHandle, AbstractReactor.Resting {
    /*
     * A selector reports a waiting connection in every turn, but the SPI wants one report until accept() has found
     * nothing. States:
     *
     *   1. watched, not reported   a connection comes: onConnection -> 2
     *   2. watched, reported       accept() finds none -> 1; another turn still finds one -> 3 (or the loop would spin)
     *   3. unwatched, reported     accept() finds none -> 1
     *   4. resting                 accept() failed: unwatched, the reactor resumes it later -> 1
     *
     * Most servers take all connections at once and go 1 -> 2 -> 1, which costs no system call.
     */
    private final ServerSocketChannel channel;
    private final SocketAddress local;
    private final @Nullable UnixSocketFile file;
    private final Listener listener;
    private boolean reported;

    private NioListener(
            NioReactor reactor,
            ServerSocketChannel channel,
            SocketAddress local,
            @Nullable UnixSocketFile file,
            Listener listener) {
        this.channel = channel;
        this.local = local;
        this.file = file;
        this.listener = listener;
        super(reactor, channel);
        want(SelectionKey.OP_ACCEPT); // first, as it may throw
        reactor.opened(this);
    }

    static NioListener tcp(NioReactor reactor, InetSocketAddress address, Options options, Listener listener) {
        if (options.ipv6Only() && address.getAddress() instanceof Inet6Address v6 && v6.isAnyLocalAddress()) {
            throw NioErrors.exception(
                    "listen on", address, NioErrors.unsupported("way to keep IPv4 out of an IPv6 socket"));
        }
        try {
            ServerSocketChannel channel = reactor.open(() -> ServerSocketChannel.open(NioTcp.family(address)));
            try {
                channel.configureBlocking(false);
                if (options.reusePort()) channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                channel.bind(address, options.backlog());
                return new NioListener(reactor, channel, channel.getLocalAddress(), null, listener);
            } catch (Throwable e) {
                closeQuietly(channel);
                throw e;
            }
        } catch (IOException e) {
            throw NioErrors.exception("listen on", address, e);
        } catch (UnsupportedOperationException noIpv6) {
            throw NioErrors.exception("listen on", address, NioErrors.NO_FAMILY);
        }
    }

    static NioListener unix(NioReactor reactor, Path path, int permissions, Options options, Listener listener) {
        try {
            ServerSocketChannel channel = reactor.open(() -> ServerSocketChannel.open(StandardProtocolFamily.UNIX));
            UnixSocketFile file = null;
            try {
                channel.configureBlocking(false);
                file = UnixSocketFile.make(path, permissions, at -> channel.bind(at, options.backlog()));
                return new NioListener(reactor, channel, UnixDomainSocketAddress.of(path), file, listener);
            } catch (Throwable e) {
                // the file first, so that no client finds it and is refused
                if (file != null) file.remove();
                closeQuietly(channel);
                throw e;
            }
        } catch (IOException e) {
            throw NioErrors.exception("listen on", path, e);
        }
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    void ready(int operations) {
        if (reported) {
            unwant(SelectionKey.OP_ACCEPT);
            return;
        }
        reported = true;
        listener.onConnection();
    }

    private void watch() {
        reported = false;
        want(SelectionKey.OP_ACCEPT);
    }

    @Override
    public @Nullable StreamHandle accept(StreamHandle.Listener streamListener) {
        reactor.requireLoopThread("accept");
        if (isClosed()) throw NioErrors.exception("accept on", NioErrors.text(local), NioErrors.CLOSED);
        SocketChannel accepted = null;
        boolean done = false;
        try {
            accepted = reactor.open(channel::accept);
            if (accepted == null) {
                watch();
                return null;
            }
            accepted.configureBlocking(false);
            StreamHandle stream = stream(accepted, streamListener);
            done = true;
            return stream;
        } catch (IOException e) {
            throw refused(e);
        } finally {
            if (!done && accepted != null) closeQuietly(accepted);
        }
    }

    private StreamHandle stream(SocketChannel accepted, StreamHandle.Listener streamListener) throws IOException {
        if (file != null) return new NioStream(reactor, accepted, true, streamListener);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        var remote = accepted.getRemoteAddress() instanceof InetSocketAddress known ? known : null;
        return new NioTcp(reactor, accepted, true, remote, streamListener);
    }

    /**
     * Lets the listener rest: after any error the socket may be as ready as before, so to watch it at once might make
     * the loop spin.
     */
    private InputOutputException refused(IOException thrown) {
        unwant(SelectionKey.OP_ACCEPT);
        reactor.rest(this);
        return NioErrors.exception("accept on", local, thrown);
    }

    @Override
    public void resume() {
        if (!isClosed()) watch();
    }

    /** Closes the channel, and removes a Unix socket's file; the port is free when this returns. */
    @Override
    void release() {
        super.release();
        reactor.flush();
        if (file != null) file.remove();
    }

    @Override
    public String toString() {
        return "listener on " + NioErrors.text(local) + (isClosed() ? ", closed" : "");
    }
}
