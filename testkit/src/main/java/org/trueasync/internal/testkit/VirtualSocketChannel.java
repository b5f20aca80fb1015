package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link SocketChannel} of a simulated host. Loop thread. */
final class VirtualSocketChannel extends SocketChannel implements VirtualKey.Ready {
    private final NetworkStack stack;
    private final SocketStream stream;
    private final ChannelOptions options = new ChannelOptions(Map.of(
            StandardSocketOptions.SO_SNDBUF,
            65_536,
            StandardSocketOptions.SO_RCVBUF,
            65_536,
            StandardSocketOptions.SO_KEEPALIVE,
            false,
            StandardSocketOptions.SO_REUSEADDR,
            false,
            StandardSocketOptions.SO_REUSEPORT,
            false,
            StandardSocketOptions.SO_LINGER,
            -1,
            StandardSocketOptions.TCP_NODELAY,
            false,
            StandardSocketOptions.IP_TOS,
            0));

    private @Nullable InetSocketAddress bound;
    private boolean pending;
    private boolean connected;
    private boolean inputEnded;
    private boolean outputEnded;
    private @Nullable ChannelSocket socket;

    VirtualSocketChannel(VirtualChannels provider, NetworkStack stack, SocketStream stream) {
        super(provider);
        this.stack = stack;
        this.stream = stream;
    }

    /** It has been accepted. */
    VirtualSocketChannel accepted() {
        connected = true;
        return this;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) throw new ClosedChannelException();
    }

    private void requireConnected() throws ClosedChannelException {
        requireOpen();
        if (!connected) throw new NotYetConnectedException();
    }

    static InetSocketAddress resolved(@Nullable SocketAddress any) {
        if (!(any instanceof InetSocketAddress address)) throw new UnsupportedAddressTypeException();
        if (address.isUnresolved()) throw new UnresolvedAddressException();
        return address;
    }

    // ---- connecting

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        requireOpen();
        if (pending) throw new ConnectionPendingException();
        bound = stack.clientAddress(local == null ? null : resolved(local), bound != null || connected);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        InetSocketAddress target = resolved(remote);
        requireOpen();
        if (connected) throw new AlreadyConnectedException();
        if (pending) throw new ConnectionPendingException();
        boolean done = false;
        try {
            begin();
            stream.begin(target);
            pending = true;
            done = true;
        } finally {
            end(done);
            if (!done) close();
        }
        return isBlocking() && finishConnect();
    }

    @Override
    public boolean finishConnect() throws IOException {
        requireOpen();
        if (connected) return true;
        if (!pending) throw new NoConnectionPendingException();
        boolean done = false;
        try {
            begin();
            if (isBlocking()) stream.waiters().until(stream::hasConnected, 0, "");
            connected = stream.finishConnect();
            if (connected) pending = false;
            done = true;
        } finally {
            end(done);
            if (!done) close();
        }
        return connected;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public boolean isConnectionPending() {
        return pending;
    }

    // ---- reading and writing

    /** What a call does that may wait. */
    private interface Call {
        int run() throws IOException;
    }

    private int called(Call call) throws IOException {
        boolean done = false;
        try {
            if (isBlocking()) begin();
            int result = call.run();
            done = true;
            return result;
        } finally {
            if (isBlocking()) end(done);
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(into, 0);
    }

    /** @param millis of a channel that blocks; 0: without a limit */
    int read(ByteBuffer into, int millis) throws IOException {
        if (into.isReadOnly()) throw new IllegalArgumentException("the buffer is read-only: " + into);
        requireConnected();
        if (inputEnded) return -1;
        return called(() -> isBlocking() ? stream.read(into, millis) : stream.readNow(into));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!into[i].hasRemaining()) continue;
            // only the first one may wait
            if (count > 0 && !stream.isReadable()) break;
            int read = read(into[i]);
            if (read <= 0) return count == 0 ? read : count;
            count += read;
            if (into[i].hasRemaining()) break;
        }
        return count;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        requireConnected();
        if (outputEnded) throw new ClosedChannelException();
        return called(() -> {
            if (!isBlocking()) return stream.writeNow(from);
            int count = from.remaining();
            stream.write(from);
            return count;
        });
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        long count = 0;
        requireConnected();
        for (int i = offset; i < offset + length; i++) {
            if (from[i].hasRemaining()) count += write(from[i]);
            if (from[i].hasRemaining()) break;
        }
        return count;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireConnected();
        if (!inputEnded) stream.endInput();
        inputEnded = true;
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireConnected();
        if (!outputEnded) stream.endOutput();
        outputEnded = true;
        return this;
    }

    boolean hasInputEnded() {
        return inputEnded;
    }

    boolean hasOutputEnded() {
        return outputEnded;
    }

    int available() throws IOException {
        requireConnected();
        return stream.available();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    protected void implCloseSelectableChannel() {
        stream.close(options.get(StandardSocketOptions.SO_LINGER) == 0);
    }

    // ---- selecting

    @Override
    public int ready(int operations) {
        int ready = 0;
        if (!isOpen()) return operations;
        if (pending) return stream.hasConnected() ? operations & SelectionKey.OP_CONNECT : 0;
        if (!connected) return 0;
        if ((operations & SelectionKey.OP_READ) != 0 && (inputEnded || stream.isReadable()))
            ready |= SelectionKey.OP_READ;
        if ((operations & SelectionKey.OP_WRITE) != 0 && (outputEnded || stream.isWritable()))
            ready |= SelectionKey.OP_WRITE;
        return ready;
    }

    @Override
    public SocketWait waiters() {
        return stream.waiters();
    }

    // ---- about it

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
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
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return remote();
    }

    @Nullable
    InetSocketAddress remote() {
        VirtualTcp handle = stream.handle();
        return handle == null || !connected ? null : handle.remoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return local();
    }

    @Nullable
    InetSocketAddress local() {
        VirtualTcp handle = stream.handle();
        InetSocketAddress known = handle == null ? null : handle.localAddress();
        return known == null ? bound : known;
    }

    @Override
    public Socket socket() {
        ChannelSocket made = socket;
        if (made == null) {
            made = ChannelSocket.of(this, stack);
            socket = made;
        }
        return made;
    }

    @Override
    public String toString() {
        InetSocketAddress remote = remote();
        InetAddress address = remote == null ? null : remote.getAddress();
        String peer = remote == null || address == null ? "" : " to " + NetworkStack.text(remote);
        return "SocketChannel" + peer + (isOpen() ? "" : ", closed");
    }
}
