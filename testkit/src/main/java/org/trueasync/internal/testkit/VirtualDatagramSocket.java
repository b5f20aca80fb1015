package org.trueasync.internal.testkit;

import java.io.FileDescriptor;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/** What is below a {@link java.net.DatagramSocket} of a simulated host. Loop thread. */
final class VirtualDatagramSocket extends DatagramSocketImpl implements UdpHandle.Listener {
    private static final int LONGEST = 65_507;

    private final NetworkStack stack;
    private final SocketWait wait;
    private final Map<Integer, Object> options = new HashMap<>(Map.of(
            SocketOptions.SO_TIMEOUT, 0,
            SocketOptions.SO_SNDBUF, 212_992,
            SocketOptions.SO_RCVBUF, 212_992,
            SocketOptions.IP_TOS, 0));

    private @Nullable VirtualUdp handle;
    private int hops = 1;
    /** One that was looked at and not received yet. */
    private @Nullable DatagramPacket peeked;

    VirtualDatagramSocket(NetworkStack stack) {
        this.stack = stack;
        this.wait = new SocketWait(stack);
    }

    // ---- its addresses

    @Override
    protected void create() {
        fd = new FileDescriptor();
    }

    @Override
    protected void bind(int port, InetAddress host) throws SocketException {
        boolean shared = Boolean.TRUE.equals(options.get(SocketOptions.SO_REUSEADDR));
        try {
            handle = stack.bindUdp(new InetSocketAddress(host, port), new UdpHandle.Options(shared, false), this);
        } catch (InputOutputException e) {
            throw new BindException(
                    e.errno().equals("EADDRINUSE") ? "Address already in use" : "Cannot assign requested address");
        }
        localPort = handle.localAddress().getPort();
        handle.broadcast(Boolean.TRUE.equals(options.get(SocketOptions.SO_BROADCAST)));
    }

    private VirtualUdp requireOpen() throws SocketException {
        VirtualUdp open = handle;
        if (open == null || open.isClosed()) throw new SocketException("Socket closed");
        return open;
    }

    private static void require(@Nullable SystemError error) throws SocketException {
        if (error != null) throw new SocketException(error.text());
    }

    @Override
    protected void connect(InetAddress host, int port) throws SocketException {
        require(requireOpen().connect(new InetSocketAddress(host, port)));
    }

    @Override
    protected void disconnect() {
        if (handle != null) handle.disconnect();
    }

    // ---- datagrams

    @Override
    protected void send(DatagramPacket packet) throws IOException {
        VirtualUdp open = requireOpen();
        var bytes = ByteBuffer.wrap(packet.getData(), packet.getOffset(), packet.getLength());
        var to = open.remoteAddress() == null ? new InetSocketAddress(packet.getAddress(), packet.getPort()) : null;
        try {
            wait.until(() -> open.isClosed() || open.send(bytes, to), 0, "");
        } catch (InputOutputException e) {
            throw new SocketException(e.getMessage(), e);
        }
        requireOpen();
    }

    @Override
    protected void receive(DatagramPacket packet) throws IOException {
        DatagramPacket found = next();
        peeked = null;
        int room = Math.min(found.getLength(), packet.getData().length - packet.getOffset());
        System.arraycopy(found.getData(), 0, packet.getData(), packet.getOffset(), room);
        packet.setSocketAddress(found.getSocketAddress());
        packet.setLength(room);
    }

    @Override
    protected int peekData(DatagramPacket packet) throws IOException {
        DatagramPacket found = next();
        packet.setSocketAddress(found.getSocketAddress());
        return found.getPort();
    }

    @Override
    protected int peek(InetAddress address) throws IOException {
        throw new IOException("a simulated socket has no peek into an address");
    }

    private DatagramPacket next() throws IOException {
        DatagramPacket kept = peeked;
        if (kept != null) return kept;
        VirtualUdp open = requireOpen();
        var into = ByteBuffer.allocate(LONGEST);
        UdpHandle.@Nullable Received[] found = {null};
        int millis = (Integer) options.getOrDefault(SocketOptions.SO_TIMEOUT, 0);
        try {
            wait.until(() -> open.isClosed() || (found[0] = open.receive(into)) != null, millis, "Receive timed out");
        } catch (InputOutputException e) {
            throw new PortUnreachableException();
        }
        UdpHandle.Received received = found[0];
        if (received == null) throw new SocketException("Socket closed");
        kept = new DatagramPacket(into.array(), received.length(), received.from());
        peeked = kept;
        return kept;
    }

    @Override
    public void onReadable() {
        wait.wake();
    }

    @Override
    public void onWritable() {
        wait.wake();
    }

    @Override
    public void onClosed() {
        wait.wake();
    }

    @Override
    protected void close() {
        if (handle != null) handle.close();
        wait.wake();
    }

    // ---- groups and options

    @Override
    protected void joinGroup(SocketAddress group, @Nullable NetworkInterface on) throws IOException {
        require(requireOpen().join(((InetSocketAddress) group).getAddress(), on, null));
    }

    @Override
    protected void leaveGroup(SocketAddress group, @Nullable NetworkInterface on) throws IOException {
        require(requireOpen().leave(((InetSocketAddress) group).getAddress(), on, null));
    }

    @Override
    protected void join(InetAddress group) throws IOException {
        joinGroup(new InetSocketAddress(group, 0), null);
    }

    @Override
    protected void leave(InetAddress group) throws IOException {
        leaveGroup(new InetSocketAddress(group, 0), null);
    }

    @Override
    protected void setTimeToLive(int hops) throws IOException {
        this.hops = hops;
        requireOpen().multicastHops(hops);
    }

    @Override
    protected int getTimeToLive() {
        return hops;
    }

    @SuppressWarnings({"MissingOverride", "removal"}) // gone in a later JDK
    protected void setTTL(byte hops) throws IOException {
        setTimeToLive(hops & 0xff);
    }

    @SuppressWarnings({"MissingOverride", "removal"}) // gone in a later JDK
    protected byte getTTL() {
        return (byte) hops;
    }

    @Override
    public void setOption(int number, Object value) {
        options.put(number, value);
        VirtualUdp open = handle;
        if (open == null || !(value instanceof Boolean on)) return;
        if (number == SocketOptions.SO_BROADCAST) open.broadcast(on);
        if (number == SocketOptions.IP_MULTICAST_LOOP) open.multicastLoop(!on); // true disables it
    }

    @Override
    public @Nullable Object getOption(int number) {
        VirtualUdp open = handle;
        if (number == SocketOptions.SO_BINDADDR)
            return open == null ? null : open.localAddress().getAddress();
        return options.getOrDefault(number, false);
    }
}
