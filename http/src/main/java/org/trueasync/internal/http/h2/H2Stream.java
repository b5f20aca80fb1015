package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Fields;

/**
 * One request and its response on an HTTP/2 connection. Loop thread. The states are those of RFC 9113, 5.1, as the
 * server sees them; a stream begins with its head.
 *
 * <pre>
 *  OPEN               -> HALF_CLOSED_REMOTE  the request is complete
 *  OPEN               -> HALF_CLOSED_LOCAL   the response is complete
 *  the half closed    -> CLOSED              the other one is complete too
 * </pre>
 *
 * <p>A stream that is lost, by a reset of either side or by the end of the connection, keeps its state, and moves no
 * more.
 */
public final class H2Stream {
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
    private final RequestHead head;
    private final boolean hasBody;
    private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();
    private @Nullable Fields trailers;
    private State state;
    /** Why it has ended before its end; null if it has not. */
    private @Nullable String loss;

    private long sendWindow;
    private int mayReceive;
    private int taken;
    private long arrived;
    private long discarded;
    private boolean invited;
    private boolean duplex;
    private final Waiters reading = new Waiters();
    private final Waiters room = new Waiters();
    private Owner owner = why -> {};

    H2Stream(H2Connection connection, int id, RequestHead head, boolean ended, int sendWindow, int receiveWindow) {
        this.connection = connection;
        this.id = id;
        this.head = head;
        this.hasBody = !ended;
        this.state = ended ? State.HALF_CLOSED_REMOTE : State.OPEN;
        this.sendWindow = sendWindow;
        this.mayReceive = receiveWindow;
    }

    public void owner(Owner serving) {
        owner = serving;
    }

    Owner owner() {
        return owner;
    }

    /** True if the head names two hosts. */
    public boolean hasTwoHosts() {
        return head.hasTwoHosts();
    }

    /** The size of the head, as RFC 9113, 6.5.2 counts it. */
    public long headBytes() {
        return head.bytes();
    }

    public int id() {
        return id;
    }

    public String method() {
        return head.method();
    }

    /** What the stream is asked for, in place of a response (RFC 8441); null for nothing. */
    public @Nullable String protocol() {
        return head.protocol();
    }

    /** Path and query; the authority for CONNECT. */
    public String target() {
        return head.target();
    }

    public Fields fields() {
        return head.fields();
    }

    public boolean hasBody() {
        return hasBody;
    }

    /** The length that the head names; -1 if none. */
    public long contentLength() {
        return hasBody ? head.length() : 0;
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return hasReceivedAll() && parts.isEmpty() ? trailers : null;
    }

    // ---- the request's body

    /** True if the client sends its body only when it is told to. */
    public boolean waitsToBeInvited() {
        return hasBody && arrived == 0 && !hasReceivedAll() && !invited && fields().has(HttpHeader.EXPECT);
    }

    /** Tells the client to send its body. */
    public void invite() {
        invited = true;
        connection.invite(this);
    }

    /** Lifts the limits of time: each side may be silent as long as it likes. */
    public void duplex() {
        duplex = true;
    }

    boolean isDuplex() {
        return duplex;
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
            reading.await(duplex ? 0 : nanos);
        }
    }

    /**
     * As {@link #body(long)}.
     *
     * @param token ends the wait
     * @throws org.trueasync.OperationCanceledException if it ends first
     */
    public @Nullable ByteBuffer body(Completable<?> token) {
        while (true) {
            ByteBuffer first = nextPart();
            if (first != null || hasReceivedAll()) return first;
            requireOpen();
            reading.await(token);
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
        if (head.length() >= 0 && (arrived > head.length() || (isLast && arrived < head.length()))) return false;
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
        if (head.length() >= 0 && arrived < head.length()) return false;
        trailers = behind;
        receivedAll();
        reading.wake();
        return true;
    }

    private void receivedAll() {
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

    // ---- the response

    /** Sends the head, with what there is of the body behind it. */
    public void head(int status, Fields fields, ByteBuffer body, boolean last) {
        boolean isAll = last && !body.hasRemaining();
        connection.head(this, status, fields, isAll);
        if (!isAll && body.hasRemaining()) connection.body(this, body, last);
    }

    /** Sends a part of the body; waits while the peer does not take it. */
    public void write(ByteBuffer part, boolean last) {
        connection.body(this, part, last);
    }

    /** True if a part of the body would be sent without a wait. */
    public boolean isWritable() {
        return connection.isWritable(this);
    }

    /** Waits until a part of the body would be sent without a wait. */
    public void awaitWritable() {
        connection.awaitWritable(this);
    }

    /** Sends fields behind the body, as its end. */
    public void trailers(Fields fields) {
        connection.trailers(this, fields);
    }

    /** Ends the stream before its end. */
    public void reset() {
        connection.reset(this, ErrorCode.INTERNAL_ERROR, "the response was cut");
    }

    /**
     * Ends a stream that is no response, without a wait: in order, if both sides are between two writes.
     *
     * @param inOrder false to reset it
     */
    public void end(boolean inOrder) {
        if (loss != null || isEnded()) return;
        if (inOrder && !hasSentAll()) connection.end(this);
        else connection.reset(this, ErrorCode.CANCEL_STREAM_ERROR, "the stream was closed here");
        reading.wake();
    }

    /** Called when whoever serves it is done. */
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

    boolean hasSentAll() {
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

    void awaitRoom(long nanos) {
        room.await(nanos);
    }

    // ---- its end

    /** True if both sides have sent all. */
    boolean isEnded() {
        return state == State.CLOSED;
    }

    void lost(String why) {
        if (loss != null || isEnded()) return;
        loss = why;
        reading.wake();
        room.wake();
        owner.lost(why);
    }

    /** True if it has ended before its end. */
    public boolean isLost() {
        return loss != null;
    }

    void requireOpen() {
        if (loss != null) throw new InputOutputException(loss, "ECONNRESET");
    }
}
