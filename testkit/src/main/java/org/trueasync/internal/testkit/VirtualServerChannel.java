package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link ServerSocketChannel} of a simulated host. Loop thread. */
final class VirtualServerChannel extends ServerSocketChannel implements VirtualKey.Ready {
    private static final int BACKLOG = 50;

    private final VirtualChannels channels;
    private final NetworkStack stack;
    private final ChannelOptions options = new ChannelOptions(Map.of(
            StandardSocketOptions.SO_RCVBUF, 65_536,
            StandardSocketOptions.SO_REUSEADDR, true,
            StandardSocketOptions.SO_REUSEPORT, false));
    private @Nullable SocketListener listener;
    private final SocketWait unbound;
    private @Nullable ServerSocket socket;

    VirtualServerChannel(VirtualChannels channels, NetworkStack stack) {
        super(channels);
        this.channels = channels;
        this.stack = stack;
        unbound = new SocketWait(stack);
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) throw new ClosedChannelException();
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        requireOpen();
        if (listener != null) throw new AlreadyBoundException();
        InetSocketAddress wanted = local == null ? new InetSocketAddress(0) : VirtualSocketChannel.resolved(local);
        var made = new SocketListener(stack, wanted, backlog < 1 ? BACKLOG : backlog);
        made.waiters().tell(unbound);
        listener = made;
        return this;
    }

    private SocketListener requireBound() throws ClosedChannelException {
        requireOpen();
        SocketListener bound = listener;
        if (bound == null) throw new NotYetBoundException();
        return bound;
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        SocketListener from = requireBound();
        var stream = new SocketStream(stack);
        boolean accepted = false;
        if (isBlocking()) {
            try {
                begin();
                from.accept(stream, 0);
                accepted = true;
            } finally {
                end(accepted);
            }
        } else {
            accepted = from.acceptNow(stream);
        }
        return accepted ? new VirtualSocketChannel(channels, stack, stream).accepted() : null;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    protected void implCloseSelectableChannel() {
        if (listener != null) listener.close();
        unbound.wake();
    }

    @Override
    public int ready(int operations) {
        if (!isOpen()) return operations;
        return listener != null && listener.isReady() ? operations & SelectionKey.OP_ACCEPT : 0;
    }

    /** They are told by the listener, once there is one. */
    @Override
    public SocketWait waiters() {
        return unbound;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
        requireOpen();
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        requireOpen();
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return listener == null ? null : listener.address();
    }

    @Override
    public ServerSocket socket() {
        ServerSocket made = socket;
        if (made == null) {
            made = new View();
            socket = made;
        }
        return made;
    }

    /** What the channel shows as a socket. */
    @SuppressWarnings("NullAway") // as for any socket that is not bound
    private final class View extends ServerSocket {
        View() {
            super(PlatformSocket.create(stack, true)); // which nobody uses
        }

        private VirtualServerChannel channel() {
            return VirtualServerChannel.this;
        }

        private @Nullable InetSocketAddress address() {
            return channel().listener == null ? null : channel().listener.address();
        }

        @Override
        public void bind(SocketAddress local) throws IOException {
            channel().bind(local, BACKLOG);
        }

        @Override
        public void bind(SocketAddress local, int backlog) throws IOException {
            channel().bind(local, backlog);
        }

        @Override
        public @Nullable InetAddress getInetAddress() {
            InetSocketAddress address = address();
            return address == null ? null : address.getAddress();
        }

        @Override
        public int getLocalPort() {
            InetSocketAddress address = address();
            return address == null ? -1 : address.getPort();
        }

        @Override
        public @Nullable SocketAddress getLocalSocketAddress() {
            return address();
        }

        @Override
        public Socket accept() throws IOException {
            if (!channel().isBlocking()) throw new IllegalBlockingModeException();
            return channel().accept().socket();
        }

        @Override
        public void close() throws IOException {
            channel().close();
        }

        @Override
        public ServerSocketChannel getChannel() {
            return channel();
        }

        @Override
        public boolean isBound() {
            return channel().listener != null;
        }

        @Override
        public boolean isClosed() {
            return !channel().isOpen();
        }

        @Override
        public void setReuseAddress(boolean on) {
            channel().options.set(StandardSocketOptions.SO_REUSEADDR, on);
        }

        @Override
        public boolean getReuseAddress() {
            return channel().options.get(StandardSocketOptions.SO_REUSEADDR);
        }

        @Override
        public void setReceiveBufferSize(int size) {
            channel().options.set(StandardSocketOptions.SO_RCVBUF, size);
        }

        @Override
        public int getReceiveBufferSize() {
            return channel().options.get(StandardSocketOptions.SO_RCVBUF);
        }

        @Override
        public void setSoTimeout(int millis) {
            if (millis != 0)
                throw new UnsupportedOperationException(
                        "the socket of a simulated channel accepts without a limit: use a selector, or ServerSocket");
        }

        @Override
        public int getSoTimeout() {
            return 0;
        }

        @Override
        public String toString() {
            return "socket of " + channel();
        }
    }

    @Override
    public String toString() {
        return "ServerSocketChannel"
                + (listener == null ? "" : " on " + NetworkStack.text(listener.address()))
                + (isOpen() ? "" : ", closed");
    }
}
