package org.trueasync.internal.http.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.InputOutputException;
import org.trueasync.Pool;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.HeadWriter;

/**
 * A request that was sent and its response, on a connection that it has until the response was read to its end, or it
 * is given up.
 */
public final class ClientExchange implements AutoCloseable {
    /** How much of an unread body is read, so that the connection can be kept. */
    private static final int MAX_DISCARDED = 64 * 1024;
    /** A server that only ever says that it is at work. */
    private static final int MAX_INTERIM = 100;

    private final ClientCore client;
    private final ClientRequest request;
    private final Pool<ClientConnection> pool;
    /** Null once it was given back. */
    private @Nullable ClientConnection connection;

    private @Nullable BodySender sender;
    private int status;
    private Fields fields = new Fields();
    private @Nullable Fields trailers;
    private long contentLength;
    /** True if the body was cut off by {@link #close} or an error: to read on would seem to reach its end. */
    private boolean givenUp;

    /** When the innermost time limit of the caller is over; only if a breaker has to hear of it. */
    private @Nullable Long deadline;

    ClientExchange(ClientCore client, ClientRequest request, Pool<ClientConnection> pool) {
        this.client = client;
        this.request = request;
        this.pool = pool;
    }

    // ---- sending

    /** Sends the request and reads the head of the response. */
    void run() {
        ClientConnection lent = acquire();
        connection = lent;
        if (client.settings.breaker != null) {
            Duration left = Async.remaining();
            if (left != null) deadline = client.now() + left.toNanos();
        }
        boolean done = false;
        boolean peersFault = false;
        try {
            exchangeHeads(lent);
            done = true;
        } catch (InputOutputException e) {
            peersFault = programsFailure() == null;
            throw named(e);
        } finally {
            if (!done) giveUp(peersFault || isLate());
        }
        if (lent.parser().isComplete() && !lent.parser().content().hasRemaining()) finish(lent);
    }

    private ClientConnection acquire() {
        try {
            return pool.acquire();
        } catch (InputOutputException e) {
            throw named(e);
        } catch (org.trueasync.DnsException e) {
            throw new org.trueasync.DnsException(request + ": " + e.getMessage(), e);
        }
    }

    private void exchangeHeads(ClientConnection on) {
        try {
            attempt(on);
        } catch (InputOutputException e) {
            // the server may have closed the connection while it lay idle: no byte of the response has come
            if (!on.isUsed || on.hasBegunResponse() || "ETIMEDOUT".equals(e.errno()) || !mayRepeat()) throw e;
            client.retries++;
            on.open();
            attempt(on);
        }
    }

    private boolean mayRepeat() {
        return request.isIdempotent() && request.body.isRepeatable();
    }

    private void attempt(ClientConnection on) {
        on.begin(request.isHead());
        HeadWriter out = on.out();
        request.writeHead(out, on.isAbsolute(), client.settings.proxyAuthorization, client.settings.gzip);
        byte[] small = request.expectsContinue ? null : request.body.small();
        InputOutputException unsent = null;
        if (small != null) {
            try {
                on.write(out.put(small).buffer());
            } catch (InputOutputException e) {
                // the server may have answered before it has closed the connection
                if (e.errno().equals("ETIMEDOUT")) throw e;
                unsent = e;
            }
        } else {
            sender = new BodySender(on, request);
            sender.start();
        }
        try {
            readHead(on);
        } catch (InputOutputException e) {
            stopSending();
            if (unsent != null && !on.hasBegunResponse()) throw unsent;
            throw e;
        }
    }

    private void readHead(ClientConnection on) {
        ResponseParser parser = on.parser();
        for (int interim = 0; ; interim++) {
            if (interim == MAX_INTERIM) throw malformed("it is the " + MAX_INTERIM + "th that says to wait on");
            while (!parser.isHeadComplete()) {
                on.advance(isSending());
                if (parser.fault() != null) throw malformed(parser.fault());
                if (on.isHeadTooLong() && !parser.isHeadComplete())
                    throw malformed(
                            "its head has more than " + client.settings.maxHeaderBytes + " bytes (maxHeaderBytes)");
                if (on.hasEnded() && !parser.isHeadComplete())
                    throw new InputOutputException(
                            on.hasBegunResponse()
                                    ? "the server has closed the connection in the middle of the head"
                                    : "the server has closed the connection before it answered",
                            "ECONNRESET");
            }
            if (parser.status() == 101) throw malformed("it changes to another protocol, for which nobody has asked");
            if (parser.status() >= 200) break;
            if (parser.status() == 100 && sender != null) sender.goOn();
            on.nextHead(request.isHead());
        }
        if (!parser.isComplete() && !parser.content().hasRemaining()) on.parseOn();
        if (parser.fault() != null) throw malformed(parser.fault());
        status = parser.status();
        fields = parser.fields();
        contentLength = parser.contentLength();
        answered();
    }

    /**
     * A server that refuses a body, or has its answer already, does not want the rest of it (RFC 9112, 9.3 and 9.5).
     */
    private void answered() {
        BodySender active = sender;
        if (active == null) return;
        // its last byte may have been written just now
        if (!active.isDone()) Async.suspend();
        if (active.isDone()) return;
        if (status < 300) active.goOn();
        else active.stop();
    }

    private boolean isSending() {
        return sender != null && !sender.isDone();
    }

    // ---- the response

    /** For messages. */
    public String name() {
        return request.toString();
    }

    public URI uri() {
        return request.uri;
    }

    public int status() {
        return status;
    }

    public Fields fields() {
        return fields;
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return trailers;
    }

    /** True if the head says that the body has more bytes. */
    public boolean announcesMoreThan(long most) {
        return contentLength > most && !request.isHead() && status != 304;
    }

    /** The length of the body that the head names; -1 if it names none. */
    public long contentLength() {
        return contentLength;
    }

    /**
     * Returns the next bytes of the body, which the caller takes; null at its end.
     *
     * @throws InputOutputException if the connection is broken, the body malformed, or nothing comes for too long
     */
    public @Nullable ByteBuffer body() {
        ClientConnection on = connection;
        if (on == null) {
            if (givenUp)
                throw new InputOutputException(request + ": the response was closed before its body was read", "EBADF");
            return null;
        }
        boolean done = false;
        boolean peersFault = false;
        try {
            ResponseParser parser = on.parser();
            while (!parser.content().hasRemaining() && !parser.isComplete()) {
                on.advance(isSending());
                if (parser.fault() != null) throw malformed(parser.fault());
            }
            done = true;
            if (parser.content().hasRemaining()) return parser.content();
        } catch (InputOutputException e) {
            peersFault = programsFailure() == null;
            throw named(e);
        } finally {
            if (!done) giveUp(peersFault || isLate());
        }
        finish(on);
        return null;
    }

    private boolean isLate() {
        return deadline != null && client.now() >= deadline;
    }

    /** Called at the end of the response: the connection goes back, if another request may follow. */
    private void finish(ClientConnection on) {
        trailers = on.parser().trailers();
        BodySender active = sender;
        boolean done = false;
        try {
            if (active != null) active.await();
            done = true;
        } finally {
            if (!done) giveUp(false);
        }
        Throwable failure = programsFailure();
        if (failure != null && status < 300) {
            giveUp(false);
            throw failed(failure);
        }
        boolean reusable = on.parser().keepsAlive()
                && !request.asksToClose()
                && !on.hasUnread()
                && (active == null || active.hasSentAll());
        connection = null;
        client.giveBack(pool, on, reusable);
    }

    /** Ends it: reads what is there of a small rest of the body, or closes the connection. Does nothing at its end. */
    @Override
    public void close() {
        ClientConnection on = connection;
        if (on == null) return;
        boolean atEnd = false;
        try {
            atEnd = !isSending() && discard(on);
        } catch (InputOutputException e) {
            // it is closed below
        } finally {
            if (!atEnd) giveUp(false);
        }
        givenUp = true;
        if (atEnd) finish(on);
    }

    private static boolean discard(ClientConnection on) {
        ResponseParser parser = on.parser();
        int discarded = 0;
        while (true) {
            discarded += parser.content().remaining();
            parser.content().position(parser.content().limit());
            if (parser.isComplete()) return true;
            if (discarded > MAX_DISCARDED || !on.tryAdvance() || parser.fault() != null) return false;
        }
    }

    /** Closes the connection and takes it out of its pool. */
    private void giveUp(boolean peersFault) {
        ClientConnection on = connection;
        if (on == null) return;
        connection = null;
        givenUp = true;
        on.hasFailed = peersFault;
        try {
            client.throwAway(pool, on);
        } finally {
            stopSending();
        }
    }

    private void stopSending() {
        if (sender != null) sender.stop();
    }

    // ---- errors

    private @Nullable Throwable programsFailure() {
        Throwable failure = sender == null ? null : sender.failure();
        return failure instanceof AsyncCancellation ? null : failure;
    }

    private static InputOutputException malformed(@Nullable String what) {
        return new InputOutputException("malformed response: " + Objects.requireNonNull(what), "EPROTO");
    }

    private RuntimeException named(InputOutputException e) {
        Throwable failure = programsFailure();
        return failure != null
                ? failed(failure)
                : new InputOutputException(request + ": " + e.getMessage(), e.errno(), e);
    }

    /** The program could not write its body; that is told as it was thrown. */
    private RuntimeException failed(Throwable failure) {
        if (failure instanceof Error error) throw error;
        if (failure instanceof RuntimeException unchecked) return unchecked;
        return new InputOutputException(request + ": its body could not be written: " + failure, "", failure);
    }
}
