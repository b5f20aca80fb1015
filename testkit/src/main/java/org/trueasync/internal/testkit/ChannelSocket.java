package org.trueasync.internal.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@link Socket} that a {@link VirtualSocketChannel} shows. */
final class ChannelSocket extends Socket {
    private final VirtualSocketChannel channel;
    private int timeout;

    private ChannelSocket(VirtualSocketChannel channel, NetworkStack stack) throws SocketException {
        super(PlatformSocket.create(stack, false)); // which nobody uses: whatever would is overridden here
        this.channel = channel;
    }

    static ChannelSocket of(VirtualSocketChannel channel, NetworkStack stack) {
        try {
            return new ChannelSocket(channel, stack);
        } catch (SocketException e) {
            throw new AssertionError(e); // the JDK declares it for others
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int millis) throws IOException {
        if (millis != 0)
            throw new UnsupportedOperationException(
                    "the socket of a simulated channel connects without a limit: use a selector, or Socket");
        if (!channel.isBlocking()) throw new IllegalBlockingModeException();
        channel.connect(remote);
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        channel.bind(local);
    }

    // ---- addresses

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return channel.remote();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.local();
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return channel.local();
    }

    // ---- its streams

    @Override
    public InputStream getInputStream() throws IOException {
        requireOpen();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, into.length);
                if (!channel.isBlocking()) throw new IllegalBlockingModeException();
                return channel.read(ByteBuffer.wrap(into, offset, length), timeout);
            }

            @Override
            public int available() throws IOException {
                return channel.available();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireOpen();
        return Channels.newOutputStream(channel);
    }

    private void requireOpen() throws IOException {
        if (!channel.isOpen()) throw new SocketException("Socket is closed");
        if (!channel.isConnected()) throw new SocketException("Socket is not connected");
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    // ---- states

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return channel.local() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.hasInputEnded();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.hasOutputEnded();
    }

    @Override
    public String toString() {
        return "socket of " + channel;
    }

    // ---- options

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        if (millis < 0) throw new IllegalArgumentException("the timeout must be >= 0 ms, got " + millis);
        timeout = millis;
    }

    @Override
    public int getSoTimeout() {
        return timeout;
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, @Nullable T value) throws SocketException {
        try {
            channel.setOption(name, value);
        } catch (IOException e) {
            throw socketException(e);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws SocketException {
        try {
            return channel.getOption(name);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    private static SocketException socketException(IOException e) {
        return new SocketException(e instanceof ClosedChannelException ? "Socket is closed" : e.getMessage(), e);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        setOption(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return getOption(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        setOption(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return getOption(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        setOption(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return getOption(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        if (on && seconds < 0) throw new IllegalArgumentException("the linger must be >= 0 s, got " + seconds);
        setOption(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return getOption(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        setOption(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return getOption(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        setOption(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return getOption(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setTrafficClass(int number) throws SocketException {
        setOption(StandardSocketOptions.IP_TOS, number);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return getOption(StandardSocketOptions.IP_TOS);
    }

    @Override
    public void sendUrgentData(int data) throws SocketException {
        throw new SocketException("a simulated socket has no urgent data");
    }
}
