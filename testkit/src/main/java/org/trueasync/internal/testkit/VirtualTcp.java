package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * One end of a connection of the {@link VirtualNetwork}, or of a Unix socket. What is written is under way for the
 * latency, and then waits at the peer until it is read; both together are bounded, which is what holds a writer back.
 *
 * <pre>
 *  CONNECTING -> CONNECTED  the answer has come
 *  CONNECTING -> BROKEN     refused
 *  CONNECTED  -> BROKEN     a reset has come
 *  any        -> CLOSED     close; the peer gets the end, or a reset if it had sent what nobody has read
 * </pre>
 */
final class VirtualTcp implements TcpHandle, NetworkStack.Handle {
    private enum State {
        CONNECTING,
        CONNECTED,
        BROKEN,
        CLOSED
    }

    private static final int WINDOW = 256 * 1024;
    private static final int CHUNK = 64 * 1024;

    // As Linux does it: tcp_syn_retries and tcp_retries2 of tcp(7), and the wait for an answer of ARP.
    private static final long CONNECT_NANOS = 1_000_000_000;
    private static final int CONNECT_TRIES = 6;
    private static final long RETRY_NANOS = 200_000_000;
    private static final long MAX_RETRY_NANOS = 120_000_000_000L;
    private static final int TRIES = 15;
    private static final long NO_ROUTE_NANOS = 3_000_000_000L;

    private final NetworkStack stack;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    /** Of a Unix socket; null: it is one of TCP. */
    private final @Nullable String path;
    /** Null before the server's end is accepted. */
    private @Nullable Listener listener;

    private @Nullable VirtualTcp peer;
    private State state = State.CONNECTING;
    private SystemError failure = NetworkStack.NOT_CONNECTED;

    /** Under way to this end, the oldest first: it arrives in this order, whichever arrival is first. */
    private final ArrayDeque<Runnable> incoming = new ArrayDeque<>();

    private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
    private boolean ended;
    private boolean reading;
    private boolean pumps;

    /** Read here, and not yet told to the peer. */
    private int read;

    /** Sent, and not yet known to be read. */
    private int unread;

    private final ArrayDeque<ByteBuffer> writes = new ArrayDeque<>();
    private boolean shutting;
    private boolean endSent;
    private boolean flushes;
    private @Nullable Runnable whenRoom;
    /** Where the program has connected, or last written, if the run is recorded. */
    private String place;

    VirtualTcp(
            NetworkStack stack,
            InetSocketAddress local,
            InetSocketAddress remote,
            @Nullable String path,
            @Nullable Listener listener) {
        this.stack = stack;
        this.local = local;
        this.remote = remote;
        this.path = path;
        this.listener = listener;
        this.place = stack.network.world.place();
    }

    // ---- connecting

    /**
     * Sends the first packet.
     *
     * @param tries how often that was done before
     */
    void connect(int tries) {
        if (state != State.CONNECTING) return;
        VirtualNetwork network = stack.network;
        NetworkStack target = network.at(stack, remote.getAddress());
        if (target != null) {
            network.send(stack, target, () -> target.arrived(this), () -> connectAgain(tries));
        } else if (network.isOff(remote.getAddress())) {
            connectAgain(tries);
        } else if (network.isIdle(remote.getAddress())) {
            stack.soon(() -> connected(NetworkStack.REFUSED)); // no program runs there
        } else {
            stack.after(NO_ROUTE_NANOS, () -> connected(NetworkStack.NO_ROUTE));
        }
    }

    private void connectAgain(int tries) {
        if (tries == CONNECT_TRIES) stack.after(0, () -> connected(NetworkStack.TIMED_OUT));
        else stack.after(CONNECT_NANOS << tries, () -> connect(tries + 1));
    }

    /** Nobody listens there. */
    void refuse(NetworkStack there) {
        stack.network.send(there, stack, () -> connected(NetworkStack.REFUSED), () -> connectAgain(0));
    }

    /** Makes the server's end, once, and tells this one. */
    VirtualTcp meet(NetworkStack there) {
        VirtualTcp side = peer;
        if (side != null) return side;
        side = new VirtualTcp(there, /* local= */ remote, /* remote= */ local, path, null);
        side.state = State.CONNECTED;
        side.peer = this;
        peer = side;
        side.sendToPeer(() -> connected(null));
        return side;
    }

    /** The server's end has been accepted. */
    void accepted(Listener accepting) {
        listener = accepting;
        stack.opened(this);
    }

    void connected(@Nullable SystemError error) {
        if (state != State.CONNECTING) return;
        state = error == null ? State.CONNECTED : State.BROKEN;
        note(error == null ? "is connected to" : error.errno() + " from", -1, place);
        flushSoon();
        if (listener != null) listener.onConnected(error);
    }

    // ---- the way between the ends

    private void sendToPeer(Runnable what) {
        VirtualTcp other = peer;
        if (other == null) return;
        other.incoming.add(what);
        transmit(other, other::arriveNext, 0);
    }

    private void arriveNext() {
        Runnable next = incoming.poll();
        if (next != null) next.run();
    }

    /**
     * Sends a packet until it arrives, or for as long as TCP tries.
     *
     * @param tries how often that was done before
     */
    private void transmit(VirtualTcp other, Runnable arrival, int tries) {
        NetworkStack there = other.stack;
        if (stack.network.answersForAnother(there) && stack.network.isOpenBothWays(stack, there)) {
            stack.after(RETRY_NANOS, this::arriveReset); // nobody there knows this connection
            return;
        }
        stack.network.send(stack, there, arrival, () -> {
            if (tries == TRIES) stack.after(0, this::timesOut);
            else
                stack.afterAsSystem(
                        Math.min(RETRY_NANOS << tries, MAX_RETRY_NANOS), () -> transmit(other, arrival, tries + 1));
        });
    }

    private void timesOut() {
        VirtualTcp other = peer;
        if (other != null) other.incoming.clear(); // it is sent no more
        breaks(NetworkStack.TIMED_OUT);
    }

    private void arrive(ByteBuffer bytes) {
        if (state != State.CONNECTED) {
            resetPeer(); // it may not know yet that this end is no more, as after a time-out
            return;
        }
        arrived.add(bytes);
        pump();
    }

    private void arriveEnd() {
        if (state == State.BROKEN) resetPeer();
        ended = true;
        pump();
    }

    private void arriveReset() {
        breaks(NetworkStack.RESET);
    }

    private void breaks(SystemError why) {
        if (state != State.CONNECTED && state != State.CONNECTING) return;
        boolean wasConnecting = state == State.CONNECTING;
        state = State.BROKEN;
        failure = why;
        note(why.errno() + " from", -1, wasConnecting ? place : "");
        arrived.clear();
        flushSoon();
        tellOfRoom();
        if (wasConnecting && listener != null) listener.onConnected(why);
        else pump();
    }

    /** A reset reaches both ends. On no loop's thread. */
    void resetBoth() {
        VirtualTcp other = peer;
        if (other == null || state != State.CONNECTED) return;
        stack.after(0, this::arriveReset);
        other.stack.after(0, other::arriveReset);
    }

    private void resetPeer() {
        VirtualTcp other = peer;
        if (other != null) sendToPeer(other::arriveReset);
    }

    // ---- reading

    @Override
    public @Nullable SystemError startReading() {
        if (state == State.CLOSED) return NetworkStack.CLOSED;
        if (state == State.CONNECTING || wasRefused()) return NetworkStack.NOT_CONNECTED;
        reading = true;
        if (!pumps && (!arrived.isEmpty() || ended || state == State.BROKEN)) {
            pumps = true;
            stack.soon(() -> {
                pumps = false;
                pump();
            });
        }
        return null;
    }

    private boolean wasRefused() {
        return state == State.BROKEN && failure == NetworkStack.NOT_CONNECTED;
    }

    @Override
    public void stopReading() {
        reading = false;
    }

    @Override
    public void readNow() {
        Listener to = listener;
        if (to == null) return;
        if (state == State.CLOSED) to.onReadError(NetworkStack.CLOSED);
        else if (state == State.CONNECTING) to.onReadError(NetworkStack.NOT_CONNECTED);
        else readOnce(to, CHUNK);
    }

    /** Delivers what has arrived while it is wanted. */
    private void pump() {
        Listener to = listener;
        while (to != null && reading && state != State.CLOSED && readOnce(to, stack.network.portion(CHUNK))) {}
    }

    /** Returns whether there may be more. */
    private boolean readOnce(Listener to, int most) {
        ByteBuffer first = arrived.peek();
        if (first != null) {
            int count = Math.min(first.remaining(), most);
            ByteBuffer part = first.slice(first.position(), count);
            first.position(first.position() + count);
            if (!first.hasRemaining()) arrived.remove();
            acknowledge(count);
            to.onBytes(part);
            return true;
        }
        if (state == State.BROKEN) {
            reading = false;
            to.onReadError(failure);
        } else if (ended) {
            reading = false;
            to.onEnd();
        }
        return false;
    }

    private void acknowledge(int count) {
        VirtualTcp other = peer;
        read += count;
        if (other == null || read < WINDOW / 4) return; // so that no writer sends crumbs (RFC 9293, 3.8.6.2.2)
        int all = read;
        read = 0;
        transmit(
                other,
                () -> {
                    other.unread -= all;
                    other.flush();
                    other.tellOfRoom();
                },
                0);
    }

    // ---- writing

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer bytes) {
        SystemError refused = refusal();
        if (refused == null && writes.isEmpty()) {
            place = stack.network.world.place();
            take(bytes);
        }
        return refused;
    }

    private @Nullable SystemError refusal() {
        return switch (state) {
            case CLOSED -> NetworkStack.CLOSED;
            case CONNECTING -> NetworkStack.NOT_CONNECTED;
            case BROKEN -> wasRefused() ? failure : NetworkStack.BROKEN_PIPE;
            case CONNECTED -> shutting ? NetworkStack.BROKEN_PIPE : null;
        };
    }

    /** Sends as much as there is room for. */
    private void take(ByteBuffer bytes) {
        VirtualTcp other = peer;
        int count = Math.min(bytes.remaining(), WINDOW - unread);
        if (count <= 0 || other == null) return;
        ByteBuffer copy = ByteBuffer.allocate(count)
                .put(0, bytes, bytes.position(), count)
                .limit(count);
        bytes.position(bytes.position() + count);
        unread += count;
        note("sends to", count, place);
        sendToPeer(() -> other.arrive(copy));
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireOpen("write");
        place = stack.network.world.place();
        writes.add(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
        flushSoon();
    }

    @Override
    public void shutdown() {
        requireOpen("shutdown");
        Listener to = listener;
        if (state != State.CONNECTED || shutting || to == null) {
            stack.soon(() -> {
                if (state != State.CLOSED && to != null) to.onShutdown(NetworkStack.NOT_CONNECTED);
            });
            return;
        }
        shutting = true;
        flushSoon();
    }

    /**
     * True if a write would take something, or fail at once.
     *
     * @param room called once it is true, if it is not
     */
    boolean hasRoom(Runnable room) {
        if (state == State.CONNECTING) return false; // onConnected tells
        if (state != State.CONNECTED || (unread < WINDOW && writes.isEmpty())) return true;
        whenRoom = room;
        return false;
    }

    private void tellOfRoom() {
        Runnable told = whenRoom;
        whenRoom = null;
        if (told != null) told.run();
    }

    private void flushSoon() {
        if (flushes || state == State.CONNECTING || (writes.isEmpty() && !shutting)) return;
        flushes = true;
        stack.soon(() -> {
            flushes = false;
            flush();
        });
    }

    private void flush() {
        Listener to = listener;
        if (to == null || state == State.CONNECTING || state == State.CLOSED) return;
        ByteBuffer oldest;
        while ((oldest = writes.peek()) != null) {
            SystemError error = state == State.CONNECTED ? null : refusal();
            if (error == null) {
                take(oldest);
                if (oldest.hasRemaining()) return;
            }
            writes.remove();
            to.onWritten(error);
            if (state == State.CLOSED) return;
        }
        if (!shutting || endSent) return;
        endSent = true;
        sendEnd();
        to.onShutdown(state == State.CONNECTED ? null : NetworkStack.NOT_CONNECTED);
    }

    private void sendEnd() {
        VirtualTcp other = peer;
        if (other != null) sendToPeer(other::arriveEnd);
    }

    private void requireOpen(String operation) {
        if (state == State.CLOSED)
            throw new InputOutputException(operation + " on " + this + ": " + NetworkStack.CLOSED, "EBADF");
    }

    // ---- the end

    @Override
    public void close() {
        if (state == State.CLOSED) return;
        leave();
        stack.soon(this::finish);
    }

    /** Closes with a reset, and loses what is under way. */
    void abort() {
        if (state == State.CLOSED) return;
        boolean tells = state == State.CONNECTED;
        state = State.CLOSED;
        writes.clear();
        arrived.clear();
        if (tells) resetPeer();
        stack.soon(this::finish);
    }

    private void leave() {
        boolean unheard = !arrived.isEmpty();
        boolean tells = peer != null && state != State.BROKEN;
        state = State.CLOSED;
        writes.clear();
        arrived.clear();
        if (tells && unheard) resetPeer();
        else if (tells && !endSent) sendEnd();
    }

    /** Ends the connection for the peer; this end was not accepted. */
    void reset() {
        state = State.CLOSED;
        resetPeer();
    }

    private void finish() {
        stack.closed(this, local.getPort());
        if (listener != null) listener.onClosed();
    }

    @Override
    public void end() {
        if (state != State.CLOSED) leave();
        finish();
    }

    @Override
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    private void note(String what, int bytes, String place) {
        stack.network.world.note(stack, what, other(), bytes, place);
    }

    /** The other host and its port, for a person to read. */
    private String other() {
        return path != null ? path : stack.network.nameOf(remote.getAddress()) + ':' + remote.getPort();
    }

    // ---- about it

    @Override
    public @Nullable InetSocketAddress localAddress() {
        return state == State.CLOSED ? null : local;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public @Nullable SystemError noDelay(boolean on) {
        return state == State.CLOSED ? NetworkStack.CLOSED : null;
    }

    @Override
    public @Nullable SystemError keepAlive(int idle, int interval, int probes) {
        if (idle < 0) throw new IllegalArgumentException("keep-alive must be >= 0 s, got " + idle);
        return state == State.CLOSED ? NetworkStack.CLOSED : null;
    }

    @Override
    public String toString() {
        String what = path != null ? "pipe to " + path : "tcp stream to " + NetworkStack.text(remote);
        return what + (isClosed() ? ", closed" : "");
    }
}
