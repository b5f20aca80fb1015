package org.trueasync.internal.testkit;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is below a {@link java.net.Socket} or a {@link java.net.ServerSocket} of a simulated host. Options are kept;
 * those for time limits and for a close with a reset have an effect.
 */
class VirtualSocket extends SocketImpl {
    private static final Map<Integer, Object> DEFAULTS = Map.of(
            SocketOptions.SO_LINGER, -1,
            SocketOptions.SO_SNDBUF, 65_536,
            SocketOptions.SO_RCVBUF, 65_536,
            SocketOptions.IP_TOS, 0);

    private static final Map<SocketOption<?>, Integer> NUMBERS = Map.of(
            StandardSocketOptions.SO_SNDBUF, SocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT, SocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER, SocketOptions.SO_LINGER,
            StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS,
            StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY);

    private static final Set<SocketOption<?>> OF_SERVER = Set.of(
            StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEPORT);

    private final NetworkStack stack;
    private final boolean server;
    private final SocketStream stream;
    private final Map<Integer, Object> options = new HashMap<>(DEFAULTS);
    private @Nullable SocketListener listener;
    private @Nullable InetAddress bound;

    VirtualSocket(NetworkStack stack, boolean server) {
        this.stack = stack;
        this.server = server;
        this.stream = new SocketStream(stack);
    }

    private int timeout() {
        return options.get(SocketOptions.SO_TIMEOUT) instanceof Integer millis ? millis : 0;
    }

    // ---- a client's beginning

    @Override
    protected void create(boolean isStream) throws IOException {
        if (!isStream) throw new IOException("a simulated socket is a stream");
        fd = new FileDescriptor();
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress target, int port) throws IOException {
        connect(new InetSocketAddress(target, port), 0);
    }

    @Override
    protected void connect(SocketAddress target, int millis) throws IOException {
        if (!(target instanceof InetSocketAddress remote))
            throw new IllegalArgumentException("no address of the network: " + target);
        if (remote.isUnresolved()) throw new UnknownHostException(remote.getHostName());
        stream.connect(remote, millis);
        address = remote.getAddress();
        port = remote.getPort();
        InetSocketAddress local = Objects.requireNonNull(stream.handle()).localAddress();
        if (local != null) boundTo(local);
    }

    private void boundTo(InetSocketAddress local) {
        bound = local.getAddress();
        localport = local.getPort();
    }

    @Override
    protected void bind(InetAddress host, int wanted) throws IOException {
        if (!server && wanted != 0) throw new BindException("a simulated client has no port of its choice");
        if (!stack.isOwn(host) && !host.isAnyLocalAddress()) throw new BindException("Cannot assign requested address");
        boundTo(new InetSocketAddress(host, wanted));
    }

    // ---- a server

    @Override
    protected void listen(int backlog) throws IOException {
        InetAddress host = Objects.requireNonNull(bound, "bind comes first");
        listener = new SocketListener(stack, new InetSocketAddress(host, localport), Math.max(1, backlog));
        address = host;
        boundTo(listener.address());
    }

    @Override
    protected void accept(SocketImpl socket) throws IOException {
        SocketListener from = listener;
        if (from == null) throw new SocketException("Socket is not listening");
        var accepted = (VirtualSocket) socket;
        from.accept(accepted.stream, timeout());
        accepted.hasConnected();
    }

    private void hasConnected() {
        VirtualTcp handle = Objects.requireNonNull(stream.handle());
        fd = new FileDescriptor();
        address = handle.remoteAddress().getAddress();
        port = handle.remoteAddress().getPort();
        InetSocketAddress local = handle.localAddress();
        if (local != null) boundTo(local);
    }

    // ---- its streams and its end

    @Override
    protected InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, into.length);
                return stream.read(into, offset, length, timeout());
            }

            @Override
            public int available() throws IOException {
                return stream.available();
            }

            @Override
            public void close() {
                VirtualSocket.this.close();
            }
        };
    }

    @Override
    protected OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, from.length);
                stream.write(ByteBuffer.wrap(from, offset, length));
            }

            @Override
            public void close() {
                VirtualSocket.this.close();
            }
        };
    }

    @Override
    protected int available() throws IOException {
        return stream.available();
    }

    @Override
    protected void shutdownInput() throws IOException {
        stream.endInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        stream.endOutput();
    }

    @Override
    protected void close() {
        if (listener != null) listener.close();
        stream.close(Objects.equals(options.get(SocketOptions.SO_LINGER), 0));
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("a simulated socket has no urgent data");
    }

    // ---- options

    @Override
    public void setOption(int number, Object value) {
        options.put(
                number,
                number == SocketOptions.SO_LINGER && value instanceof Boolean ? (Object) Integer.valueOf(-1) : value);
    }

    @Override
    public @Nullable Object getOption(int number) {
        if (number == SocketOptions.SO_BINDADDR) return bound;
        return options.getOrDefault(number, number == SocketOptions.SO_TIMEOUT ? 0 : (Object) false);
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) {
        setOption(number(name), value);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> T getOption(SocketOption<T> name) {
        return (T) Objects.requireNonNull(getOption(number(name)));
    }

    private int number(SocketOption<?> name) {
        Integer number = supportedOptions().contains(name) ? NUMBERS.get(name) : null;
        if (number == null) throw new UnsupportedOperationException("'" + name + "' not supported");
        return number;
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return server ? OF_SERVER : NUMBERS.keySet();
    }
}
