package org.trueasync.internal.http.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.InputOutputException;
import org.trueasync.Pool;
import org.trueasync.internal.http.message.Fields;

/**
 * A request that was sent and its response, on a connection that it has until the response was read to its end, or it
 * is given up.
 */
public final class ClientExchange implements AutoCloseable {
    /** How often a request is sent that one server after another says that it has not looked at. */
    private static final int MAX_REFUSALS = 3;

    private final ClientCore client;
    private final ClientRequest request;
    private final Pool<ClientWire> pool;
    /** Null once it was given back. */
    private @Nullable ClientWire connection;

    private @Nullable BodySender sender;
    private int status;
    private Fields fields = new Fields();
    private @Nullable Fields trailers;
    private String protocol = "";
    private long contentLength;
    /** True if the body was cut off by {@link #close} or an error: to read on would seem to reach its end. */
    private boolean givenUp;

    /** When the innermost time limit of the caller is over; only if a breaker has to hear of it. */
    private @Nullable Long deadline;

    ClientExchange(ClientCore client, ClientRequest request, Pool<ClientWire> pool) {
        this.client = client;
        this.request = request;
        this.pool = pool;
    }

    // ---- sending

    /** Sends the request and reads the head of the response. */
    void run() {
        ClientWire lent = acquire();
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
        if (lent.isComplete()) finish(lent);
    }

    private ClientWire acquire() {
        try {
            return pool.acquire();
        } catch (InputOutputException e) {
            throw named(e);
        } catch (org.trueasync.DnsException e) {
            throw new org.trueasync.DnsException(request + ": " + e.getMessage(), e);
        }
    }

    private void exchangeHeads(ClientWire on) {
        for (int sent = 1; ; sent++) {
            try {
                attempt(on);
                return;
            } catch (InputOutputException e) {
                if (!mayRepeat(on, e, sent)) throw e;
            }
            client.retries++;
            on.open();
        }
    }

    private boolean mayRepeat(ClientWire on, InputOutputException e, int sent) {
        if (!request.body.isRepeatable()) return false;
        if (on.isNotServed()) return sent < MAX_REFUSALS;
        // the server may have closed the connection while it lay idle
        return sent == 1 && on.mayHaveBeenStale() && !"ETIMEDOUT".equals(e.errno()) && request.isIdempotent();
    }

    private void attempt(ClientWire on) {
        byte[] small = request.expectsContinue ? null : request.body.small();
        if (small != null && !on.takes(small)) small = null;
        InputOutputException unsent = null;
        try {
            on.begin(request, small);
        } catch (InputOutputException e) {
            // the server may have answered before it has closed the connection
            if (e.errno().equals("ETIMEDOUT") || on.isNotServed()) throw e;
            unsent = e;
        }
        if (small == null) {
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

    private void readHead(ClientWire on) {
        for (int interim = 0; ; interim++) {
            if (interim == ClientWire.MAX_INTERIM)
                throw ClientWire.malformed("it is the " + interim + "th that says to wait on");
            status = on.readHead(isSending());
            if (status >= 200) break;
            if (status == 100 && sender != null) sender.goOn();
        }
        fields = on.fields();
        contentLength = on.contentLength();
        protocol = on.protocol();
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

    /** {@code HTTP/1.1} or {@code HTTP/2}. */
    public String protocol() {
        return protocol;
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
        ClientWire on = connection;
        if (on == null) {
            if (givenUp)
                throw new InputOutputException(request + ": the response was closed before its body was read", "EBADF");
            return null;
        }
        boolean done = false;
        boolean peersFault = false;
        try {
            ByteBuffer part = on.body(isSending());
            done = true;
            if (part != null) return part;
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
    private void finish(ClientWire on) {
        trailers = on.trailers();
        BodySender active = sender;
        boolean done = false;
        try {
            if (active != null && on.hasEndedRequest()) active.stop();
            else if (active != null) active.await();
            done = true;
        } finally {
            if (!done) giveUp(false);
        }
        Throwable failure = programsFailure();
        if (failure != null && status < 300) {
            giveUp(false);
            throw failed(failure);
        }
        connection = null;
        client.giveBack(pool, on, on.end(active == null || active.hasSentAll()) && !request.asksToClose());
    }

    /** Ends it: reads what is there of a small rest of the body, or gives it up. Does nothing at its end. */
    @Override
    public void close() {
        ClientWire on = connection;
        if (on == null) return;
        boolean atEnd = false;
        try {
            atEnd = !isSending() && on.discard();
        } catch (InputOutputException e) {
            // it is given up below
        } finally {
            if (!atEnd) giveUp(false);
        }
        givenUp = true;
        if (atEnd) finish(on);
    }

    /** Closes the connection and takes it out of its pool; or gives it back, if only a stream has ended. */
    private void giveUp(boolean peersFault) {
        ClientWire on = connection;
        if (on == null) return;
        connection = null;
        givenUp = true;
        boolean isKept = on.giveUp() && !(peersFault && client.settings.breaker != null);
        on.hasFailed = peersFault;
        try {
            if (!isKept) client.throwAway(pool, on);
        } finally {
            stopSending();
        }
        if (isKept) client.giveBack(pool, on, on.end(false));
    }

    private void stopSending() {
        if (sender != null) sender.stop();
    }

    // ---- errors

    private @Nullable Throwable programsFailure() {
        Throwable failure = sender == null ? null : sender.failure();
        return failure instanceof AsyncCancellation ? null : failure;
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
