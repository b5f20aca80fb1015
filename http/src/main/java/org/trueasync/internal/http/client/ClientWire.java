package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Fields;

/**
 * What a request goes over: a connection of HTTP/1, or the place of a stream on one of HTTP/2. A resource of the
 * origin's pool, for one exchange at a time, whose caller reads while its sender may write.
 */
abstract class ClientWire {
    /** A server that only ever says that it is at work. */
    static final int MAX_INTERIM = 100;

    /** When it was given back last. */
    private long idleSince;
    /** True if its last exchange has failed, by the peer's fault. */
    boolean hasFailed;

    /** Connects, also again, in place of a connection that is of no use any more. */
    abstract void open();

    /** {@code HTTP/1.1} or {@code HTTP/2}. */
    abstract String protocol();

    /** Closes it; who waits in it gets an error. */
    abstract void close();

    // ---- an exchange

    /** True if a small body of this length is sent without a wait for the response. */
    boolean takes(byte[] small) {
        return true;
    }

    /**
     * Begins an exchange: sends the head, with a small body behind it.
     *
     * @param small null if a {@link BodySender} sends the body, and the head if that waits in a buffer
     * @throws InputOutputException if the peer does not take it in time, or the connection is broken
     */
    abstract void begin(ClientRequest request, byte @Nullable [] small);

    /** Sends the head, unless that was done by {@link #begin}. */
    void sendHead() {}

    /** Sends a part of the body. */
    abstract void sendPart(byte[] from, int offset, int length);

    /** Ends the body, after its last part. */
    abstract void endBody();

    /**
     * The body was not written to its end.
     *
     * @param stopped true if nobody wants the rest of it
     */
    abstract void cutBody(boolean stopped);

    /**
     * Waits for the next head; returns its status, which is below 200 if another one follows.
     *
     * @param sending true while a body is being written: then its progress counts too
     * @throws InputOutputException if none comes in time, it is malformed, or the connection is broken
     */
    abstract int readHead(boolean sending);

    /** True once something of the response has come. */
    abstract boolean hasBegunResponse();

    /** True if the server may have closed the connection while it lay idle, and nothing of a response has come. */
    abstract boolean mayHaveBeenStale();

    /** True if the server says that it has done nothing for the request. */
    boolean isNotServed() {
        return false;
    }

    abstract Fields fields();

    /** The length of the body that the head names; -1 if it names none. */
    abstract long contentLength();

    /** Waits for the next bytes of the body, which the caller takes; null at its end. */
    abstract @Nullable ByteBuffer body(boolean sending);

    /** True if all of the response was read; does not wait. */
    abstract boolean isComplete();

    /** The fields behind the body; null if there are none. */
    abstract @Nullable Fields trailers();

    /** Takes what is there of a small rest of the body; true if that is all of it. Does not wait. */
    abstract boolean discard();

    /** True if the response has ended the request too, so that the rest of its body is not sent. */
    boolean hasEndedRequest() {
        return false;
    }

    /**
     * Ends the exchange, whose response was read to its end; returns true if another one may follow.
     *
     * @param sentAll true if the request was sent to its end
     */
    abstract boolean end(boolean sentAll);

    /** Ends the exchange before its end; returns true if another one may follow. */
    boolean giveUp() {
        return false;
    }

    // ---- between exchanges

    /** Called before it is given back. */
    void rest(long now) {
        idleSince = now;
        hasFailed = false;
    }

    /** True if another exchange may use it: it has not been idle for too long, and the connection is good. */
    final boolean isFit(long now, long keepNanos) {
        return now - idleSince < keepNanos && isGood(now);
    }

    abstract boolean isGood(long now);

    static InputOutputException malformed(@Nullable String what) {
        return new InputOutputException("malformed response: " + what, "EPROTO");
    }
}
