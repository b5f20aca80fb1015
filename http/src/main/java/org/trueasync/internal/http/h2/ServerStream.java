package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.http.message.Fields;

/** A stream as its server sees it: it begins with the head of the request. Loop thread. */
public final class ServerStream extends H2Stream {
    private final H2Server connection;
    private final RequestHead head;
    private final boolean hasBody;
    private boolean invited;

    ServerStream(H2Server connection, int id, RequestHead head, boolean ended, int sendWindow, int receiveWindow) {
        super(connection, id, sendWindow, receiveWindow);
        this.connection = connection;
        this.head = head;
        this.hasBody = !ended;
        length = head.length();
        if (ended) receivedAll();
    }

    /** True if the head names two hosts. */
    public boolean hasTwoHosts() {
        return head.hasTwoHosts();
    }

    /** The size of the head, as RFC 9113, 6.5.2 counts it. */
    public long headBytes() {
        return head.bytes();
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

    // ---- the request's body

    /** True if the client sends its body only when it is told to. */
    public boolean waitsToBeInvited() {
        return hasBody && !hasArrived() && !hasReceivedAll() && !invited && fields().has(HttpHeader.EXPECT);
    }

    /** Tells the client to send its body. */
    public void invite() {
        invited = true;
        connection.invite(this);
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

    // ---- the response

    /** Sends the head, with what there is of the body behind it. */
    public void head(int status, Fields fields, ByteBuffer body, boolean last) {
        boolean isAll = last && !body.hasRemaining();
        connection.head(this, status, fields, isAll);
        if (!isAll && body.hasRemaining()) connection.body(this, body, last);
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
        if (isLost() || isEnded()) return;
        if (inOrder && !hasSentAll()) connection.end(this);
        else connection.reset(this, ErrorCode.CANCEL_STREAM_ERROR, "the stream was closed here");
        reading.wake();
    }
}
