package org.trueasync.internal.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/**
 * A UDP socket of the {@link VirtualNetwork}. A datagram arrives once and in its order, unless a fault or the seed
 * wants it otherwise. What finds no room at the receiver is lost, and a sender gets no more than so much off at once,
 * as with Linux.
 */
final class VirtualUdp implements UdpHandle, NetworkStack.Handle {
    private static final SystemError TOO_LONG = new SystemError("EMSGSIZE", "message too long");
    private static final SystemError NO_PEER = new SystemError("EDESTADDRREQ", "destination address required");
    private static final SystemError HAS_PEER = new SystemError("EISCONN", "socket is already connected");
    private static final SystemError NO_FAMILY =
            new SystemError("EAFNOSUPPORT", "address family not supported by protocol");
    private static final SystemError NOT_ALLOWED = new SystemError("EACCES", "permission denied");
    private static final SystemError INVALID = new SystemError("EINVAL", "invalid argument");

    private static final int LONGEST = 65_507;
    /** Of Linux: {@code rmem_default} and {@code wmem_default}, and about what a datagram costs besides its bytes. */
    private static final int BUFFER = 212_992;

    private static final int OVERHEAD = 768;
    /** As long, a datagram that was sent stays in the sender's buffer. */
    private static final long SENDING_NANOS = 50_000;

    private final NetworkStack stack;
    private final InetSocketAddress local;
    private final Binding binding;
    private final Listener listener;
    private final Set<Membership> memberships = new HashSet<>(0);
    private @Nullable InetSocketAddress remote;
    private int groupHops = 1;
    private boolean groupLoop = true;
    private boolean broadcasts;

    private final ArrayDeque<Object> arrived = new ArrayDeque<>();
    private int buffered;
    private boolean reported;

    private long sendingSince = -SENDING_NANOS;
    private int sending;
    private boolean waits;
    private boolean closed;

    /** What was sent. */
    record Datagram(InetSocketAddress from, ByteBuffer bytes) {}

    private record Membership(InetAddress group, @Nullable InetAddress source) {}

    VirtualUdp(NetworkStack stack, InetSocketAddress local, Binding binding, Listener listener) {
        this.stack = stack;
        this.local = local;
        this.binding = binding;
        this.listener = listener;
    }

    Binding binding() {
        return binding;
    }

    NetworkStack stack() {
        return stack;
    }

    // ---- what arrives

    /** How well a datagram to an address is for this socket; 0: it is not. */
    int fits(Datagram datagram, InetAddress to) {
        if (!binding.takes(to)) return 0;
        int exact = binding.own().equals(to) ? 2 : 1;
        if (remote == null) return exact;
        return remote.equals(datagram.from) ? exact + 2 : 0;
    }

    /** True if it takes one that is for a group, or for everybody. */
    boolean takesOfMany(Datagram datagram, InetAddress to) {
        if (remote != null && !remote.equals(datagram.from)) return false;
        if (!binding.takes(to)) return false;
        return UdpSockets.isBroadcast(to)
                || memberships.contains(new Membership(to, null))
                || memberships.contains(new Membership(to, datagram.from.getAddress()));
    }

    void arrived(Datagram datagram) {
        int size = datagram.bytes.remaining() + OVERHEAD;
        if (buffered + size > BUFFER) {
            note("has no room for one from", datagram.from, datagram.bytes.remaining());
            return;
        }
        buffered += size;
        wake(datagram);
    }

    /** Nobody has the port of the peer. */
    void refused(InetSocketAddress to) {
        if (!closed && to.equals(remote)) wake(NetworkStack.REFUSED);
    }

    private void wake(Object what) {
        arrived.add(what);
        if (reported) return;
        reported = true;
        listener.onReadable();
    }

    @Override
    public @Nullable Received receive(ByteBuffer into) {
        requireOpen("receive on", local);
        return switch (arrived.poll()) {
            case SystemError error -> throw NetworkStack.failed("receive on", local, error);
            case Datagram datagram -> {
                int length = datagram.bytes.remaining();
                buffered -= length + OVERHEAD;
                into.put(datagram.bytes.slice(0, Math.min(length, into.remaining())));
                yield new Received(datagram.from, length);
            }
            case null, default -> {
                reported = false;
                yield null;
            }
        };
    }

    // ---- sending

    @Override
    public boolean send(ByteBuffer datagram, @Nullable InetSocketAddress to) {
        requireOpen("send from", local);
        if (to != null) NetworkStack.requireResolved(to);
        InetSocketAddress wanted = to != null ? to : remote;
        if (wanted == null) throw NetworkStack.failed("send from", local, NO_PEER);
        if (to != null && remote != null) throw NetworkStack.failed("send to", to, HAS_PEER);
        int length = datagram.remaining();
        SystemError refused = length > LONGEST ? TOO_LONG : refusal(wanted.getAddress());
        if (refused != null) throw NetworkStack.failed("send to", wanted, refused);
        if (!hasRoom(length + OVERHEAD)) return false;
        var copy = ByteBuffer.allocate(length).put(datagram).flip();
        InetSocketAddress target = NetworkStack.real(wanted);
        note("sends to", target, length);
        dispatch(new Datagram(from(target.getAddress()), copy), target);
        return true;
    }

    private @Nullable SystemError refusal(InetAddress to) {
        if (!binding.speaks(to)) return NO_FAMILY;
        if (UdpSockets.isBroadcast(to)) return broadcasts ? null : NOT_ALLOWED;
        boolean stays = binding.own().isLoopbackAddress() && !to.isMulticastAddress();
        return stays && !to.isAnyLocalAddress() && !stack.isOwn(to) ? INVALID : null;
    }

    private InetSocketAddress from(InetAddress target) {
        InetAddress own = binding.own();
        return new InetSocketAddress(own.isAnyLocalAddress() ? stack.sourceFor(target) : own, local.getPort());
    }

    private void dispatch(Datagram datagram, InetSocketAddress target) {
        VirtualNetwork network = stack.network;
        if (!UdpSockets.isForMany(target.getAddress())) {
            NetworkStack there = network.at(stack, target.getAddress());
            if (there != null) dispatch(there, datagram, target);
            else if (network.isIdle(target.getAddress())) stack.soon(() -> refused(target));
            return;
        }
        boolean isGroup = target.getAddress().isMulticastAddress();
        for (NetworkStack there : network.all())
            if (!isGroup || (there == stack ? groupLoop : groupHops > 0)) dispatch(there, datagram, target);
    }

    private void dispatch(NetworkStack there, Datagram datagram, InetSocketAddress target) {
        stack.network.sendDatagram(stack, there, () -> there.udp.arrived(this, datagram, target));
    }

    private boolean hasRoom(int size) {
        long now = stack.network.world.now();
        if (now - sendingSince >= SENDING_NANOS) {
            sendingSince = now;
            sending = 0;
        }
        if (sending + size <= BUFFER) {
            sending += size;
            return true;
        }
        if (!waits) stack.after(sendingSince + SENDING_NANOS - now, this::sendAgain);
        waits = true;
        return false;
    }

    /** True if something has arrived that was not received; else the listener is told of the next. */
    boolean hasArrived() {
        if (arrived.isEmpty()) reported = false;
        return !arrived.isEmpty();
    }

    /** False while the sender's buffer is full; its listener is told of the end of that. */
    boolean maySend() {
        return !waits;
    }

    private void sendAgain() {
        waits = false;
        if (!closed) listener.onWritable();
    }

    private void note(String what, InetSocketAddress about, int bytes) {
        String other = stack.network.nameOf(about.getAddress()) + ':' + about.getPort() + " (UDP)";
        stack.network.world.note(stack, what, other, bytes);
    }

    // ---- its settings

    @Override
    public @Nullable SystemError connect(InetSocketAddress to) {
        NetworkStack.requireResolved(to);
        if (closed) return NetworkStack.CLOSED;
        if (!binding.speaks(to.getAddress())) return NO_FAMILY;
        remote = NetworkStack.real(to);
        return null;
    }

    /** Has no peer any more. */
    void disconnect() {
        remote = null;
    }

    @Override
    public @Nullable SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        if (closed) return NetworkStack.CLOSED;
        return memberships.add(new Membership(group, source)) ? null : NetworkStack.IN_USE;
    }

    @Override
    public @Nullable SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        if (closed) return NetworkStack.CLOSED;
        return memberships.remove(new Membership(group, source)) ? null : NetworkStack.NONE_LEFT;
    }

    @Override
    public @Nullable SystemError multicastInterface(NetworkInterface out) {
        return closed ? NetworkStack.CLOSED : null; // a simulated host has one
    }

    @Override
    public @Nullable SystemError multicastHops(int hops) {
        if (hops < 0 || hops > 255) throw new IllegalArgumentException("hops must be 0 to 255, got " + hops);
        groupHops = hops;
        return closed ? NetworkStack.CLOSED : null;
    }

    @Override
    public @Nullable SystemError multicastLoop(boolean on) {
        groupLoop = on;
        return closed ? NetworkStack.CLOSED : null;
    }

    @Override
    public @Nullable SystemError broadcast(boolean on) {
        broadcasts = on;
        return closed ? NetworkStack.CLOSED : null;
    }

    // ---- about it, and its end

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return remote;
    }

    private void requireOpen(String operation, InetSocketAddress address) {
        if (closed) throw NetworkStack.failed(operation, address, NetworkStack.CLOSED);
    }

    @Override
    public void close() {
        if (closed) return;
        leave();
        stack.soon(this::finish);
    }

    private void leave() {
        closed = true;
        arrived.clear();
        stack.udp.closed(this);
    }

    private void finish() {
        stack.gone(this);
        listener.onClosed();
    }

    @Override
    public void end() {
        if (!closed) leave();
        finish();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return "udp socket on " + NetworkStack.text(local) + (closed ? ", closed" : "");
    }
}
