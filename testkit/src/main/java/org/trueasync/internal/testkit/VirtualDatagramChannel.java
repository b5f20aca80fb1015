package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/** A {@link DatagramChannel} of a simulated host. Loop thread. */
final class VirtualDatagramChannel extends DatagramChannel implements VirtualKey.Ready, UdpHandle.Listener {
    private static final int LONGEST = 65_507;

    private final NetworkStack stack;
    private final SocketWait wait;
    private final ChannelOptions options = new ChannelOptions(Map.of(
            StandardSocketOptions.SO_SNDBUF,
            212_992,
            StandardSocketOptions.SO_RCVBUF,
            212_992,
            StandardSocketOptions.SO_REUSEADDR,
            false,
            StandardSocketOptions.SO_REUSEPORT,
            false,
            StandardSocketOptions.SO_BROADCAST,
            false,
            StandardSocketOptions.IP_TOS,
            0,
            StandardSocketOptions.IP_MULTICAST_TTL,
            1,
            StandardSocketOptions.IP_MULTICAST_LOOP,
            true));

    private @Nullable VirtualUdp handle;

    VirtualDatagramChannel(VirtualChannels provider, NetworkStack stack) {
        super(provider);
        this.stack = stack;
        wait = new SocketWait(stack);
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) throw new ClosedChannelException();
    }

    // ---- addresses

    @Override
    public DatagramChannel bind(@Nullable SocketAddress local) throws IOException {
        requireOpen();
        if (handle != null) throw new AlreadyBoundException();
        bound(local == null ? new InetSocketAddress(0) : VirtualSocketChannel.resolved(local));
        return this;
    }

    private VirtualUdp bound(InetSocketAddress local) throws IOException {
        boolean shared = options.get(StandardSocketOptions.SO_REUSEADDR);
        try {
            VirtualUdp made = stack.bindUdp(local, new UdpHandle.Options(shared, false), this);
            handle = made;
            made.broadcast(options.get(StandardSocketOptions.SO_BROADCAST));
            made.multicastLoop(options.get(StandardSocketOptions.IP_MULTICAST_LOOP));
            made.multicastHops(options.get(StandardSocketOptions.IP_MULTICAST_TTL));
            return made;
        } catch (InputOutputException e) {
            throw new BindException(
                    e.errno().equals("EADDRINUSE") ? "Address already in use" : "Cannot assign requested address");
        }
    }

    private VirtualUdp handle() throws IOException {
        requireOpen();
        return handle == null ? bound(new InetSocketAddress(0)) : handle;
    }

    @Override
    public DatagramChannel connect(SocketAddress remote) throws IOException {
        InetSocketAddress target = VirtualSocketChannel.resolved(remote);
        if (isConnected()) throw new AlreadyConnectedException();
        SystemError refused = handle().connect(target);
        if (refused != null) throw new SocketException(refused.text());
        return this;
    }

    @Override
    public DatagramChannel disconnect() throws IOException {
        if (handle != null) handle.disconnect();
        return this;
    }

    @Override
    public boolean isConnected() {
        return handle != null && handle.remoteAddress() != null;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return handle == null ? null : handle.remoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return handle == null ? null : handle.localAddress();
    }

    // ---- datagrams

    @Override
    public @Nullable SocketAddress receive(ByteBuffer into) throws IOException {
        if (into.isReadOnly()) throw new IllegalArgumentException("the buffer is read-only: " + into);
        UdpHandle.Received received = next(into);
        return received == null ? null : received.from();
    }

    private UdpHandle.@Nullable Received next(ByteBuffer into) throws IOException {
        VirtualUdp open = handle();
        UdpHandle.@Nullable Received[] found = {null};
        waits(() -> (found[0] = open.receive(into)) != null);
        return found[0];
    }

    /** Until it is so, if this channel blocks; else looks once. */
    private boolean waits(BooleanSupplier condition) throws IOException {
        boolean done = false;
        try {
            if (!isBlocking()) return condition.getAsBoolean();
            begin();
            wait.until(() -> !isOpen() || condition.getAsBoolean(), 0, "");
            done = isOpen();
            return done;
        } catch (InputOutputException e) {
            done = true;
            if (e.errno().equals("ECONNREFUSED")) throw new PortUnreachableException();
            throw new SocketException(e.getMessage(), e);
        } finally {
            if (isBlocking()) end(done);
        }
    }

    @Override
    public int send(ByteBuffer from, SocketAddress target) throws IOException {
        InetSocketAddress to = VirtualSocketChannel.resolved(target);
        VirtualUdp open = handle();
        InetSocketAddress peer = open.remoteAddress();
        if (peer != null && !peer.equals(to)) throw new AlreadyConnectedException();
        return send(open, from, peer == null ? to : null);
    }

    private int send(VirtualUdp open, ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
        int length = from.remaining();
        return waits(() -> open.send(from, to)) ? length : 0;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        requireConnected();
        int before = into.position();
        return next(into) == null ? 0 : into.position() - before;
    }

    private VirtualUdp requireConnected() throws IOException {
        requireOpen();
        VirtualUdp open = handle;
        if (open == null || open.remoteAddress() == null) throw new NotYetConnectedException();
        return open;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        var all = ByteBuffer.allocate(LONGEST);
        if (read(all) == 0) return 0;
        all.flip();
        for (int i = offset; i < offset + length && all.hasRemaining(); i++) {
            int count = Math.min(all.remaining(), into[i].remaining());
            into[i].put(all.slice(all.position(), count));
            all.position(all.position() + count);
        }
        return all.position();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return send(requireConnected(), from, null);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        int size = 0;
        for (int i = offset; i < offset + length; i++) size += from[i].remaining();
        var all = ByteBuffer.allocate(size);
        for (int i = offset; i < offset + length; i++) all.put(from[i].duplicate());
        int sent = write(all.flip());
        if (sent > 0) for (int i = offset; i < offset + length; i++) from[i].position(from[i].limit());
        return sent;
    }

    // ---- selecting, and the end

    @Override
    public int ready(int operations) {
        if (!isOpen()) return operations;
        boolean readable = handle != null && handle.hasArrived();
        boolean writable = handle == null || handle.maySend();
        return operations & ((readable ? SelectionKey.OP_READ : 0) | (writable ? SelectionKey.OP_WRITE : 0));
    }

    @Override
    public SocketWait waiters() {
        return wait;
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
    protected void implConfigureBlocking(boolean block) {}

    @Override
    protected void implCloseSelectableChannel() {
        if (handle != null) handle.close();
        wait.wake();
    }

    // ---- options and groups

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
        requireOpen();
        Object given = Objects.requireNonNull(value, "value");
        options.set(name, value);
        VirtualUdp open = handle;
        if (open == null) return this;
        if (name.equals(StandardSocketOptions.SO_BROADCAST)) open.broadcast((Boolean) given);
        if (name.equals(StandardSocketOptions.IP_MULTICAST_LOOP)) open.multicastLoop((Boolean) given);
        if (name.equals(StandardSocketOptions.IP_MULTICAST_TTL)) open.multicastHops((Integer) given);
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
    public MembershipKey join(InetAddress group, NetworkInterface on) {
        throw new UnsupportedOperationException(
                "a simulated DatagramChannel joins no groups: use MulticastSocket or UdpSocket");
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface on, InetAddress source) {
        return join(group, on);
    }

    @Override
    public DatagramSocket socket() {
        throw new UnsupportedOperationException("a simulated DatagramChannel shows no socket: use DatagramSocket");
    }

    @Override
    public String toString() {
        return "DatagramChannel"
                + (handle == null ? "" : " on " + NetworkStack.text(handle.localAddress()))
                + (isOpen() ? "" : ", closed");
    }
}
