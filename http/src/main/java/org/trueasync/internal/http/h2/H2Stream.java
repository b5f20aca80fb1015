package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Fields;

/** One request and its response on an HTTP/2 connection. Loop thread. */
public final class H2Stream {
    private final H2Connection connection;
    private final int id;
    private final MetaData.Request request;
    private final Fields fields = new Fields();
    private final boolean hasBody;
    private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();
    private @Nullable Fields trailers;
    private boolean receivedAll;
    private boolean sentAll;
    private @Nullable String loss;
    private long sendWindow;
    private int mayReceive;
    private int taken;
    private long length;
    private long arrived;
    private boolean invited;
    private @Nullable Waiters reading;
    /** Whoever serves it. */
    public @Nullable Consumer<String> onLoss;

    H2Stream(
            H2Connection connection,
            int id,
            MetaData.Request request,
            boolean ended,
            int sendWindow,
            int receiveWindow) {
        this.connection = connection;
        this.id = id;
        this.request = request;
        this.hasBody = !ended;
        this.receivedAll = ended;
        this.sendWindow = sendWindow;
        this.mayReceive = receiveWindow;
        for (HttpField field : request) fields.add(field);
        String authority = request.getHttpURI().getAuthority();
        if (authority != null && !fields.has(HttpHeader.HOST)) fields.add(HttpHeader.HOST, authority);
        length = request.getContentLength();
    }

    public int id() {
        return id;
    }

    public String method() {
        return request.getMethod();
    }

    /** Path and query; the authority for CONNECT. */
    public String target() {
        String path = request.getHttpURI().getPathQuery();
        if (path != null) return path;
        String authority = request.getHttpURI().getAuthority();
        return authority == null ? "" : authority;
    }

    public Fields fields() {
        return fields;
    }

    public boolean hasBody() {
        return hasBody;
    }

    /** The length that the head names; -1 if none. */
    public long contentLength() {
        return hasBody ? Math.max(-1, length) : 0;
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return receivedAll && parts.isEmpty() ? trailers : null;
    }

    // ---- the request's body

    /** True if the client sends its body only when it is told to. */
    public boolean waitsToBeInvited() {
        return hasBody && arrived == 0 && !receivedAll && !invited && fields.has(HttpHeader.EXPECT);
    }

    /** Tells the client to send its body. */
    public void invite() {
        invited = true;
        connection.invite(this);
    }

    /**
     * Waits for the next part of the body; null at its end. What is not taken of it comes again.
     *
     * @param limit null for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    public @Nullable ByteBuffer body(@Nullable Duration limit) {
        while (true) {
            ByteBuffer first = parts.peekFirst();
            if (first != null) {
                if (first.hasRemaining()) return first;
                parts.removeFirst();
                connection.consumed(this, first.capacity());
                continue;
            }
            if (receivedAll) return null;
            requireOpen();
            if (reading == null) reading = new Waiters();
            reading.await(limit);
        }
    }

    /** True if the whole body has come and was taken. */
    public boolean isBodyRead() {
        return receivedAll && parts.isEmpty();
    }

    boolean received(DataFrame frame) {
        int flow = frame.flowControlLength();
        mayReceive -= flow;
        if (mayReceive < 0) return false;
        ByteBuffer data = frame.getByteBuffer();
        int padding = flow - data.remaining();
        arrived += data.remaining();
        boolean isLast = frame.isEndStream();
        if (length >= 0 && (arrived > length || (isLast && arrived < length))) {
            connection.onStreamFailure(id, ErrorCode.PROTOCOL_ERROR.code, "content-length");
            return true;
        }
        if (data.hasRemaining()) {
            var copy = ByteBuffer.allocate(data.remaining());
            copy.put(data).flip();
            parts.addLast(copy);
        }
        if (padding > 0) connection.consumed(this, padding);
        if (isLast) receivedAll = true;
        wakeReader();
        return true;
    }

    void receivedTrailers(Fields fields) {
        if (length >= 0 && arrived < length) {
            connection.onStreamFailure(id, ErrorCode.PROTOCOL_ERROR.code, "content-length");
            return;
        }
        trailers = fields;
        receivedAll = true;
        wakeReader();
    }

    boolean hasReceivedAll() {
        return receivedAll;
    }

    /** Returns by how much its window is to be widened, after these bytes were taken. */
    int toWiden(int bytes, int window) {
        taken += bytes;
        if (receivedAll || taken < window / 2) return 0;
        int widened = taken;
        taken = 0;
        mayReceive += widened;
        return widened;
    }

    private void wakeReader() {
        Waiters waiting = reading;
        reading = null;
        if (waiting != null) waiting.wake();
    }

    // ---- the response

    /** Sends the head, with a body behind it if there is one. */
    public void head(int status, Fields head, @Nullable ByteBuffer body, boolean last) {
        connection.head(this, status, head, body, last);
        if (body != null && (body.hasRemaining() || (last && !sentAll))) connection.body(this, body, last);
    }

    /** Sends a part of the body; waits while the peer does not take it. */
    public void write(ByteBuffer part, boolean last) {
        connection.body(this, part, last);
    }

    /** Sends fields behind the body, as its end. */
    public void trailers(Fields fields) {
        connection.trailers(this, fields);
    }

    /** Ends the stream before its end. */
    public void reset(boolean byFailure) {
        if (sentAll) return;
        sentAll = true;
        if (loss == null) loss = "the response was cut";
        connection.reset(this, byFailure ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL_STREAM_ERROR);
    }

    /** Called when whoever serves it is done. */
    public void finished() {
        int unread = 0;
        for (ByteBuffer part : parts) unread += part.capacity();
        parts.clear();
        connection.consumed(this, unread);
        connection.finished(this);
    }

    void sentAll() {
        sentAll = true;
    }

    boolean hasSentAll() {
        return sentAll;
    }

    long sendWindow() {
        return sendWindow;
    }

    void used(int bytes) {
        sendWindow -= bytes;
    }

    boolean widened(long bytes) {
        sendWindow += bytes;
        return sendWindow <= Integer.MAX_VALUE;
    }

    // ---- its loss

    void lost(String why) {
        if (loss != null) return;
        loss = why;
        wakeReader();
        if (onLoss != null) onLoss.accept(why);
    }

    /** True if it has ended before its end. */
    public boolean isLost() {
        return loss != null;
    }

    void requireOpen() {
        if (loss != null) throw new InputOutputException(loss, "ECONNRESET");
    }
}
