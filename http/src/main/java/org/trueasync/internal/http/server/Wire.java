package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;

/** How one request comes and how its response goes: on a connection of HTTP/1, or as a stream of HTTP/2. */
interface Wire {
    // ---- the request

    String method();

    /** As it was sent; for HTTP/2 in the form that HTTP/1 has. */
    String target();

    Fields fields();

    /** {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2}. */
    String protocol();

    boolean hasBody();

    /** True if nobody else may read from the connection while the request is handled. */
    boolean ownsInput();

    /** The length of the body that the head names; -1 if none. */
    long contentLength();

    /** How many bytes of the body have come. */
    long received();

    /** True once the last byte of the body has been read. */
    boolean isBodyComplete();

    /**
     * Waits until there is {@link #content} of the body that was not taken. Returns false at its end, and if it is
     * {@linkplain #refusal refused}.
     *
     * @param invites whether a client that waits to be told may be told to send it
     * @throws BodyTimeout if none comes for too long
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    boolean readBody(boolean invites);

    /** What was read of the body last; what is taken from it is gone. */
    ByteBuffer content();

    /** Why the rest of the request is refused; null if it is not. */
    @Nullable
    Refusal refusal();

    /** The fields behind the body; null before its end, or if there are none. */
    @Nullable
    Fields trailers();

    /** The connection that it is on, for its addresses and its TLS. */
    Connection connection();

    // ---- the response

    /**
     * Sends a whole response.
     *
     * @param length for the head; -1 to leave it away
     * @param body taken to its limit
     */
    void respond(int status, Fields fields, long length, ByteBuffer body);

    /** After a cancellation of {@link #respond}: true if no byte has left, so that there may be another response. */
    boolean isUntouched();

    /**
     * Sends the head of a response, with the first part of its body.
     *
     * @param length for the head; -1 if it is not known
     * @param bare no body follows, whatever the length
     * @param part taken to its limit; empty for a bare one
     */
    void begin(int status, Fields fields, long length, boolean bare, ByteBuffer part);

    /** Sends a part of the body. */
    void write(ByteBuffer part);

    /**
     * Lifts the limits of time on the bodies of both sides.
     *
     * @throws IllegalStateException over HTTP/1
     */
    void duplex();

    /** True if a part of the body would be sent without a wait; HTTP/1 does not know. */
    boolean isWritable();

    /** Waits until a part of the body would be sent without a wait. */
    void awaitWritable();

    /** True if the body goes as it is, so that the system may send it from a file. */
    boolean isPlain();

    /** Sends a part of a file as a part of a plain body; returns how many bytes there were. */
    long write(AsyncFile file, long position, long count);

    /**
     * Completes a body that was begun.
     *
     * @param trailers fields behind it; null for none
     */
    void end(@Nullable Fields trailers);

    /** True if a successful response would be the begin of a tunnel (RFC 9110, 9.3.6; RFC 8441). */
    boolean asksForTunnel();

    /**
     * Answers with the begin of a WebSocket, for which the request asks; returns what that stands on.
     */
    SocketBytes openSocket(Fields fields);

    /**
     * Answers with the begin of another protocol; returns its stream.
     *
     * @param status 101, or 200 for CONNECT
     */
    ByteStream takeOver(int status, Fields fields);

    // ---- the end

    /** The response says that nothing follows on this connection. */
    void closeAfterwards();

    /** True if another request may follow on the connection. */
    boolean isKept();

    /** True if nothing can be sent any more. */
    boolean isClosed();

    /** True if a stream that was taken over has ended. */
    boolean isPeerGone();

    /** Cuts the response, so that the peer sees it. */
    void abort();

    /**
     * Called when request, response and everything that the handler has spawned are over.
     *
     * @param lost the response was cut, or the peer has gone
     */
    void over(boolean lost, boolean taken);
}
