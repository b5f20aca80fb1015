package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/**
 * A UDP socket as coroutines see it.
 *
 * <p>Receiving: a datagram stays with the system until a coroutine takes it into its own buffer. When there is a
 * datagram, the coroutine that has waited longest is woken, and no other one takes a datagram before it has run. It
 * takes one and wakes the next coroutine. If it was cancelled meanwhile, it only wakes the next one.
 *
 * <p>Sending: one coroutine at a time, the others queue. If the system takes no more, the sender waits until it does.
 */
public final class UdpCore implements UdpHandle.Listener {
    final Loop loop;
    private final UdpHandle handle;
    private final InetSocketAddress local;
    private final ArrayDeque<Receive> receivers = new ArrayDeque<>(2);
    /** The receiver that may take the next datagram: it has been woken and has not run since. */
    private @Nullable Receive woken;

    private final TurnQueue senders;
    private @Nullable SubmittedRequest writable;
    private boolean closed;

    /*
     * Invariant: if a coroutine waits and none is woken, the handle has answered "no datagram" since its last
     * onReadable, so it will call onReadable again.
     */

    private UdpCore(Loop loop, InetSocketAddress wanted, UdpHandle.Options options) {
        this.loop = loop;
        this.handle = loop.reactor().bindUdp(wanted, options, new WeakListeners.OfSocket(this));
        this.local = handle.localAddress();
        this.senders = new TurnQueue(loop);
        LeakedHandle.watch(this, loop, "udp socket", "on " + Addresses.text(local), handle::isClosed, handle::close);
    }

    /**
     * Binds a socket; suspends only to look up a name.
     *
     * @param host name or literal of a local address
     * @param port 0 for any free one
     * @param options of the socket
     * @throws InputOutputException if the system refuses
     * @throws org.trueasync.DnsException if the name is not known
     */
    public static UdpCore bind(String host, int port, UdpHandle.Options options) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(options, "options");
        Addresses.requirePort(port, 0);
        Loop loop = Runtimes.here("UdpSocket.bind");
        InetAddress address = Addresses.resolve(host, null).getFirst();
        return new UdpCore(loop, new InetSocketAddress(address, port), options);
    }

    /** The address it is bound to, with the actual port. Any thread. */
    public InetSocketAddress localAddress() {
        return local;
    }

    /** The peer to which it is connected; null if it is not connected. */
    public @Nullable InetSocketAddress remoteAddress() {
        return handle("remoteAddress", "ask for the peer of").remoteAddress();
    }

    /** Connects the socket, so that it has this peer only; suspends only to look up a name. */
    public void connect(String host, int port, @Nullable Completable<?> token) {
        loop.requireLoopThread("connect");
        Objects.requireNonNull(host, "host");
        Addresses.requirePort(port, 1);
        Awaiting.admit(token);
        requireOpen("connect");
        SystemError refused = new SystemError("", "host has no address");
        for (InetAddress address : Addresses.resolve(host, token)) {
            requireOpen("connect");
            refused = handle.connect(new InetSocketAddress(address, port));
            if (refused == null) return;
        }
        throw new InputOutputException(
                "connect " + name() + " to " + Addresses.shown(host) + ":" + port + ": " + refused, refused.errno());
    }

    // ---- receiving

    /** See {@link org.trueasync.io.UdpSocket#receive(ByteBuffer)}. */
    public InetSocketAddress receive(ByteBuffer into, @Nullable Completable<?> token) {
        return take("receive", into, token).from();
    }

    /** See {@link org.trueasync.io.UdpSocket#read(ByteBuffer)}. */
    public int read(ByteBuffer into, @Nullable Completable<?> token) {
        return take("read", into, token).length();
    }

    private UdpHandle.Received take(String call, ByteBuffer into, @Nullable Completable<?> token) {
        loop.requireLoopThread(call);
        Objects.requireNonNull(into, "into");
        Awaiting.admit(token);
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    call + " on " + name() + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException(call + " on " + name() + " needs a buffer with room, got " + into);
        requireOpen(call + " on");
        if (call.equals("read")) requireConnected("read on");
        boolean othersTurn = loop.isOthersTurn();
        if (woken == null && receivers.isEmpty()) {
            UdpHandle.Received taken = takeNow(into);
            if (taken != null) {
                if (othersTurn) loop.giveWay();
                return taken;
            }
        }
        return takeInTurn(into, token);
    }

    private UdpHandle.Received takeInTurn(ByteBuffer into, @Nullable Completable<?> token) {
        var request = new Receive(loop);
        while (true) {
            boolean nothing = false;
            try {
                request.await(token);
                requireOpen("receive on");
                UdpHandle.Received taken = takeNow(into);
                if (taken != null) return taken;
                nothing = true;
            } finally {
                if (woken == request) {
                    woken = null;
                    // It has a datagram or an error, or was cancelled: there may be a datagram for the next one.
                    if (!nothing) wakeNext();
                }
            }
            request.rejoinFirst();
        }
    }

    private UdpHandle.@Nullable Received takeNow(ByteBuffer into) {
        byte _ = into.get(into.position()); // fails here if the memory can't be used; later a datagram would be lost
        int position = into.position();
        int room = into.remaining();
        UdpHandle.Received taken = handle.receive(into);
        if (taken != null && taken.length() > room) {
            into.position(position);
            throw new InputOutputException(
                    "receive on " + name() + ": EMSGSIZE (the datagram from " + Addresses.text(taken.from()) + " has "
                            + taken.length() + " bytes, the buffer has room for " + room
                            + "); the datagram is lost",
                    "EMSGSIZE");
        }
        return taken;
    }

    private void wakeNext() {
        if (woken != null || closed) return;
        Receive first = receivers.poll();
        if (first == null) return;
        woken = first;
        first.complete(null);
    }

    @Override
    public void onReadable() {
        wakeNext();
    }

    // ---- sending

    /** See {@link org.trueasync.io.UdpSocket#send(ByteBuffer, InetSocketAddress)}. */
    public void send(ByteBuffer datagram, InetSocketAddress to, @Nullable Completable<?> token) {
        loop.requireLoopThread("send");
        Objects.requireNonNull(datagram, "datagram");
        Objects.requireNonNull(to, "to");
        if (to.isUnresolved())
            throw new IllegalArgumentException(
                    "send needs an address, got the unresolved '" + Addresses.shown(to.getHostString()) + "'; see Dns");
        Addresses.requirePort(to.getPort(), 1);
        Awaiting.admit(token);
        requireOpen("send from");
        sendInTurn(datagram, to, token);
    }

    /** See {@link org.trueasync.io.UdpSocket#write(ByteBuffer)}. */
    public void write(ByteBuffer datagram, @Nullable Completable<?> token) {
        loop.requireLoopThread("write");
        Objects.requireNonNull(datagram, "from");
        Awaiting.admit(token);
        requireOpen("write from");
        requireConnected("write from");
        sendInTurn(datagram, null, token);
    }

    private void sendInTurn(ByteBuffer datagram, @Nullable InetSocketAddress to, @Nullable Completable<?> token) {
        senders.take("turn to send from " + name(), token);
        try {
            while (true) {
                requireOpen("send from");
                if (handle.send(datagram, target(to))) return;
                var room = new SubmittedRequest(loop, "room to send " + datagram.remaining() + " bytes from " + name());
                writable = room;
                room.await(token);
            }
        } finally {
            writable = null;
            senders.next();
        }
    }

    /**
     * Returns the address to give to the system; null if the socket is connected to that peer. Throws if it is
     * connected to another one.
     */
    private @Nullable InetSocketAddress target(@Nullable InetSocketAddress to) {
        InetSocketAddress peer = handle.remoteAddress();
        if (peer == null || to == null || to.equals(peer)) return peer == null ? to : null;
        throw new InputOutputException(
                "send from " + name() + " to " + Addresses.text(to) + ": EISCONN (the socket is connected to "
                        + Addresses.text(peer) + " alone)",
                "EISCONN");
    }

    @Override
    public void onWritable() {
        if (writable != null) writable.complete(null);
    }

    // ---- closing, checks

    /** Closes the socket. Coroutines that wait on it get an error. A second call does nothing. */
    public void close() {
        if (isClosed()) return;
        loop.requireLoopThread("close");
        closed = true;
        handle.close();
        var error = new InputOutputException(name() + " was closed while waiting on it", "");
        Receive receive;
        while ((receive = receivers.poll()) != null) receive.complete(error);
        senders.fail(error);
        if (writable != null) writable.complete(error);
    }

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    public boolean isClosed() {
        return closed || handle.isClosed();
    }

    /**
     * Returns the handle, for an operation that does not wait.
     *
     * @param call name of the method that was called, for the message
     * @param operation for the message, with a preposition
     * @throws org.trueasync.AsyncException on a thread that is not the loop thread
     * @throws InputOutputException if the socket is closed
     */
    public UdpHandle handle(String call, String operation) {
        loop.requireLoopThread(call);
        requireOpen(operation);
        return handle;
    }

    private void requireOpen(String operation) {
        if (isClosed()) throw new InputOutputException(operation + " " + name() + ": the socket is closed", "EBADF");
    }

    private void requireConnected(String operation) {
        if (handle.remoteAddress() == null)
            throw new InputOutputException(
                    operation + " " + name() + ": ENOTCONN (no peer; connect first, or name one with send)",
                    "ENOTCONN");
    }

    /** Returns the exception for an error of the system. */
    public InputOutputException error(String operation, SystemError error) {
        return new InputOutputException(operation + " " + name() + ": " + error, error.errno());
    }

    /** Returns the socket's name for messages. */
    public String name() {
        return "udp socket " + Addresses.text(local);
    }

    private final class Receive extends IoRequest {
        /** True if it was woken and found no datagram: it then rejoins the queue at the front. */
        private boolean first;

        Receive(Loop loop) {
            super(loop, "datagram on " + name());
        }

        void rejoinFirst() {
            renew();
            first = true;
        }

        @Override
        protected void armSource() {
            if (first) receivers.addFirst(this);
            else receivers.addLast(this);
        }

        @Override
        protected void disarmSource() {
            receivers.remove(this);
        }
    }
}
