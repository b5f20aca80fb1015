package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Fields;

/**
 * One request and its response on an HTTP/2 connection. Loop thread. The states are those of RFC 9113, 5.1; a stream
 * begins with the head of the request.
 *
 * <pre>
 *  OPEN               -> HALF_CLOSED_REMOTE  the peer has sent all
 *  OPEN               -> HALF_CLOSED_LOCAL   this side has sent all
 *  the half closed    -> CLOSED              the other one has sent all too
 * </pre>
 *
 * <p>A stream that is lost, by a reset of either side or by the end of the connection, keeps its state, and moves no
 * more.
 */
public abstract sealed class H2Stream permits ServerStream, ClientStream {
    private enum State {
        OPEN,
        HALF_CLOSED_REMOTE,
        HALF_CLOSED_LOCAL,
        CLOSED
    }

    /** Whoever serves a stream. */
    public interface Owner {
        /** The stream has ended before its end. */
        void lost(String why);
    }

    private final H2Connection connection;
    private final int id;
    private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();
    private @Nullable Fields trailers;
    private State state = State.OPEN;
    /** Why it has ended before its end; null if it has not. */
    private @Nullable String loss;

    private String errno = "";
    /** The length of what comes, if its head names it; else -1. */
    long length = -1;

    private long sendWindow;
    private int mayReceive;
    private int taken;
    private long arrived;
    private long discarded;
    private boolean duplex;
    private boolean notServed;
    final Waiters reading = new Waiters();
    private final Waiters room = new Waiters();
    private Owner owner = why -> {};

    H2Stream(H2Connection connection, int id, int sendWindow, int receiveWindow) {
        this.connection = connection;
        this.id = id;
        this.sendWindow = sendWindow;
        this.mayReceive = receiveWindow;
    }

    public void owner(Owner serving) {
        owner = serving;
    }

    Owner owner() {
        return owner;
    }

    public int id() {
        return id;
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return hasReceivedAll() && parts.isEmpty() ? trailers : null;
    }

    // ---- the body that comes

    /** Lifts the limits of time: each side may be silent as long as it likes. */
    public void duplex() {
        duplex = true;
    }

    boolean isDuplex() {
        return duplex;
    }

    boolean hasArrived() {
        return arrived > 0;
    }

    /**
     * Waits for the next part of the body; null at its end. What is not taken of it comes again.
     *
     * @param nanos 0 for ever, as for a {@link #duplex} stream
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    public @Nullable ByteBuffer body(long nanos) {
        while (true) {
            ByteBuffer first = nextPart();
            if (first != null || hasReceivedAll()) return first;
            requireOpen();
            connection.await(reading, duplex ? 0 : nanos);
        }
    }

    /** Returns what has come of the body and was not taken; null if there is nothing. */
    public @Nullable ByteBuffer nextPart() {
        while (true) {
            ByteBuffer first = parts.peekFirst();
            if (first == null || first.hasRemaining()) return first;
            parts.removeFirst();
            connection.consumed(this, first.capacity());
        }
    }

    /** True if the whole body has come and was taken. */
    public boolean isBodyRead() {
        return hasReceivedAll() && parts.isEmpty();
    }

    boolean isWithinWindow(int bytes) {
        return bytes <= mayReceive;
    }

    /** Returns false if the length of the body is not what the head says. */
    boolean received(DataFrame frame) {
        int flow = frame.flowControlLength();
        ByteBuffer data = frame.getByteBuffer();
        int padding = flow - data.remaining();
        boolean isLast = frame.isEndStream();
        arrived += data.remaining();
        if (length >= 0 && (arrived > length || (isLast && arrived < length))) return false;
        mayReceive -= flow;
        if (data.hasRemaining()) {
            var copy = ByteBuffer.allocate(data.remaining());
            parts.addLast(copy.put(data).flip());
        }
        if (padding > 0) connection.consumed(this, padding);
        if (isLast) receivedAll();
        reading.wake();
        return true;
    }

    /** Receives what nobody wants any more; returns false if it is too much of it. */
    boolean discards(int bytes, long most) {
        mayReceive -= bytes;
        discarded += bytes;
        return mayReceive >= 0 && discarded <= most;
    }

    /** As {@link #received}. */
    boolean receivedTrailers(Fields behind) {
        if (length >= 0 && arrived < length) return false;
        trailers = behind;
        receivedAll();
        reading.wake();
        return true;
    }

    final void receivedAll() {
        state = hasSentAll() ? State.CLOSED : State.HALF_CLOSED_REMOTE;
    }

    boolean hasReceivedAll() {
        return state == State.HALF_CLOSED_REMOTE || state == State.CLOSED;
    }

    /** Returns by how much its window is to be widened, after these bytes were taken. */
    int toWiden(int bytes, int window) {
        taken += bytes;
        if (hasReceivedAll() || taken < window / 2) return 0;
        int widened = taken;
        taken = 0;
        mayReceive += widened;
        return widened;
    }

    // ---- the body that is sent

    /** Sends a part of the body; waits while the peer does not take it. */
    public void write(ByteBuffer part, boolean last) {
        connection.body(this, part, last);
    }

    /** True if a body of that many bytes needs no more window. */
    public boolean hasWindow(int bytes) {
        return connection.window(this) >= bytes;
    }

    /** True if a part of the body would be sent without a wait. */
    public boolean isWritable() {
        return connection.isWritable(this);
    }

    /** Waits until a part of the body would be sent without a wait. */
    public void awaitWritable() {
        connection.awaitWritable(this);
    }

    /** Called when whoever uses it is done. */
    public void finished() {
        int unread = 0;
        for (ByteBuffer part : parts) unread += part.capacity();
        parts.clear();
        connection.finished(this);
        connection.consumed(this, unread);
    }

    void sentAll() {
        state = hasReceivedAll() ? State.CLOSED : State.HALF_CLOSED_LOCAL;
    }

    /** True if this side has sent all. */
    public boolean hasSentAll() {
        return state == State.HALF_CLOSED_LOCAL || state == State.CLOSED;
    }

    long sendWindow() {
        return sendWindow;
    }

    void used(int bytes) {
        sendWindow -= bytes;
    }

    /** Returns false if the window is too wide now. */
    boolean widened(long bytes) {
        sendWindow += bytes;
        if (sendWindow > 0) room.wake();
        return sendWindow <= Integer.MAX_VALUE;
    }

    void wakeSender() {
        room.wake();
    }

    Waiters room() {
        return room;
    }

    // ---- its end

    /** True if both sides have sent all. */
    boolean isEnded() {
        return state == State.CLOSED;
    }

    void lost(String why, String number) {
        if (loss != null || isEnded()) return;
        loss = why;
        errno = number;
        connection.wake(reading);
        connection.wake(room);
        owner.lost(why);
    }

    /** The peer says that it has done nothing for the request. */
    void wasNotServed() {
        notServed = true;
    }

    /** True if nothing was done for the request, so that it may be sent again. */
    public boolean isNotServed() {
        return notServed;
    }

    /** True if it has ended before its end. */
    public boolean isLost() {
        return loss != null;
    }

    void requireOpen() {
        if (loss != null) throw new InputOutputException(loss, errno);
    }
}
