package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Codings;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.time.HeapTimer;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TlsStream;

/** A request, its response, and the coroutine between them. */
public final class ExchangeCore implements Body {
    /**
     * So much is compressed before other coroutines have their turn; up to this size a body is compressed as a whole.
     */
    private static final int PACKED_PIECE = 64 * 1024;
    /** So much of a file is one write, which has its time limit. */
    private static final int FILE_PIECE = 256 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** What the system says when the peer, and not the file, is at fault. */
    private static final Set<String> PEER_LOST =
            Set.of("EPIPE", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH");

    /** How far the response has got. */
    private enum Progress {
        /** Nothing has been written. */
        OPEN,
        /** Its body is written in parts. */
        BEGUN,
        /** Any number of bytes may be written, and none is sent: the response to HEAD, and those without a body. */
        BARE,
        ENDED
    }

    private final ServerCore server;
    private final Wire wire;
    private final String method;
    private final String target;
    private final Fields fields;
    private final boolean hasBody;
    /** For the access log; 0 and null without one. */
    private final long begun;

    private final @Nullable InetSocketAddress peer;

    private boolean reading;

    private int status = 200;
    private Fields response = new Fields();
    private Progress progress = Progress.OPEN;
    /** How many bytes must still be written; -1 if any number may be. */
    private long left = -1;

    private long written;
    private @Nullable Fields responseTrailers;
    private @Nullable ResponseOutput output;
    private @Nullable Gzip gzip;

    /** What a response needs at its end that goes on until its handler returns. */
    interface Tail {
        /**
         * Called in the handler's coroutine when it has returned or failed.
         *
         * @param error why it has failed, or null
         * @return whether nobody needs to hear of the error
         */
        boolean end(@Nullable Throwable error);

        /** Called when the server begins to drain; does not wait. */
        void drain();
    }

    private @Nullable Tail tail;
    private @Nullable CoroutineScope scope;
    private boolean lost;
    private boolean taken;
    private boolean over;
    private boolean admitted;
    private boolean entered;
    private @Nullable Throwable thrown;
    private boolean timedOut;
    private @Nullable FutureState<Object> end;

    ExchangeCore(ServerCore server, Wire wire) {
        this.server = server;
        this.wire = wire;
        this.method = wire.method();
        this.target = wire.target();
        this.fields = wire.fields();
        this.hasBody = wire.hasBody();
        boolean isLogged = server.settings.listener != null;
        this.begun = isLogged ? server.loop.reactor().nanoTime() : 0;
        this.peer = isLogged ? wire.connection().peerAddress() : null;
    }

    /** True if nobody else may read from the connection. */
    boolean ownsInput() {
        return wire.ownsInput();
    }

    // ---- the request

    public String method() {
        return method;
    }

    /** The target as it was sent. */
    public String target() {
        return target;
    }

    /** {@code HTTP/1.1} for instance. */
    public String protocol() {
        return wire.protocol();
    }

    public Fields fields() {
        return fields;
    }

    /** Path and query as they were sent, without the authority of the absolute form. */
    public String pathAndQuery() {
        int start = HeadRules.pathStart(target);
        if (start == 0) return target;
        String rest = target.substring(start);
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    /** The host that the request names, with its port if there is one. */
    public String authority() {
        int scheme = HeadRules.schemeLength(target);
        if (scheme >= 0) return target.substring(scheme, HeadRules.pathStart(target));
        if (method.equals("CONNECT")) return target;
        String host = fields.get(HttpHeader.HOST);
        return host == null ? "" : host;
    }

    /** The length of the body; -1 if it is not known before its end, 0 if there is none. */
    public long contentLength() {
        return hasBody && decodesBody() ? -1 : sentLength();
    }

    private long sentLength() {
        return hasBody ? wire.contentLength() : 0;
    }

    public boolean hasBody() {
        return hasBody;
    }

    public @Nullable InetSocketAddress peer() {
        return wire.connection().peerAddress();
    }

    public @Nullable InetSocketAddress local() {
        return wire.connection().localAddress();
    }

    public @Nullable TlsStream tls() {
        return wire.connection().tls();
    }

    /** Nanoseconds of the loop's clock now. */
    public long now() {
        return server.loop.reactor().nanoTime();
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return over ? null : wire.trailers();
    }

    /**
     * Waits for the next part of the body. What is taken from it is read; the rest comes again.
     *
     * @return null at the end
     */
    public @Nullable ByteBuffer body() {
        if (!hasBody) return null;
        if (over) throw new IllegalStateException("the request is over, so its body can't be read any more");
        if (reading) throw new IllegalStateException("another coroutine reads the body of this request already");
        boolean more;
        reading = true;
        try {
            more = wire.readBody(progress == Progress.OPEN);
        } catch (BodyTimeout e) {
            wire.closeAfterwards();
            throw server.handler.failure(408, String.valueOf(e.getMessage()));
        } catch (InputOutputException e) {
            lost = true;
            throw e;
        } finally {
            reading = false;
        }
        if (!more) {
            Refusal refusal = wire.refusal();
            if (refusal == null) return null;
            wire.closeAfterwards();
            server.counters.malformed++;
            throw server.handler.failure(refusal.status(), refusal.text());
        }
        requireBodyWithin(wire.received());
        return wire.content();
    }

    /** Writes the rest of the body; returns how many bytes there were. */
    long bodyTo(OutputStream out) throws IOException {
        long count = 0;
        ByteBuffer part;
        while ((part = body()) != null) {
            int length = part.remaining();
            reading = true; // the buffer must stay as it is until it is written
            try {
                out.write(part.array(), part.arrayOffset() + part.position(), length);
            } finally {
                reading = false;
            }
            part.position(part.limit());
            count += length;
        }
        return count;
    }

    private RuntimeException tooLarge(long max) {
        wire.closeAfterwards();
        server.counters.tooLarge++;
        return server.handler.failure(413, "the body of a request may have at most " + max + " bytes");
    }

    /** True if the body is compressed, and is not decoded here. */
    public boolean isBodyCoded() {
        return !server.settings.decodesBodies && !hasCoding("identity");
    }

    /** True if the body is compressed, and decoded here, so that its length is not known before its end. */
    boolean decodesBody() {
        return server.settings.decodesBodies && !hasCoding("identity");
    }

    private boolean hasCoding(String coding) {
        String has = fields.get(HttpHeader.CONTENT_ENCODING);
        return (has == null ? "identity" : has.strip()).equalsIgnoreCase(coding);
    }

    /** Makes the body's stream. */
    public InputStream input() {
        if (!decodesBody()) return new RequestInput(this);
        if (hasCoding("gzip") || hasCoding("x-gzip")) return new DecodedInput(this);
        throw failure(415, "of content codings this server knows gzip alone");
    }

    void requireBodyWithin(long count) {
        long max = server.settings.maxBodyBytes;
        if (max > 0 && count > max) throw tooLarge(max);
    }

    /** Makes the error that refuses the request with a status. */
    public RuntimeException failure(int code, String text) {
        return server.handler.failure(code, text);
    }

    // ---- the response

    public int status() {
        return status;
    }

    /** Sets the status of the response. */
    public void status(int code) {
        requireOpen();
        if (code < 200 || code > 999) throw new IllegalArgumentException("status must be 200 to 999, got " + code);
        status = code;
    }

    /** The fields of the response; changes have an effect until its first byte. */
    public Fields response() {
        return response;
    }

    /** True once the head of the response has been sent. */
    public boolean isCommitted() {
        return progress != Progress.OPEN;
    }

    /** True once the response is complete. */
    public boolean isEnded() {
        return progress == Progress.ENDED;
    }

    /** How many bytes of the body have been sent. */
    public long written() {
        return written;
    }

    /** Fails if the head has been sent. */
    public void requireOpen() {
        if (progress != Progress.OPEN)
            throw new IllegalStateException(
                    "the head of the response has been sent, so status and header fields can't change any more");
        if (over) throw new IllegalStateException("the request is over");
    }

    /**
     * Sends a whole response.
     *
     * @param body taken to its limit
     */
    public void respond(ByteBuffer body) {
        requireOpen();
        boolean packs = packs(body.remaining());
        if (packs && !method.equals("HEAD")) respondPacked(body);
        else respond(body, packs);
    }

    private void respond(ByteBuffer body, boolean hidesLength) {
        int length = body.remaining();
        boolean bare = hasNoBody(status);
        progress = Progress.ENDED;
        boolean empty = bare || method.equals("HEAD");
        written = empty ? 0 : length;
        requireReached();
        try {
            wire.respond(status, response, bare || hidesLength ? -1 : length, empty ? NOTHING : body);
        } catch (AsyncCancellation e) {
            lost = !wire.isUntouched();
            if (!lost) {
                progress = Progress.OPEN; // there may be another answer
                written = 0;
            }
            throw e;
        } catch (InputOutputException e) {
            lost = true;
            throw e;
        }
    }

    // ---- compression

    /**
     * Returns whether a body of that length is sent compressed, or would be if the request was no HEAD. Notes that this
     * depends on what the client accepts.
     *
     * @param length in bytes; -1 if it is not known
     */
    public boolean packs(long length) {
        int from = server.settings.compressFrom;
        if (from == 0 || (length >= 0 && length < from) || !Gzip.suits(status, response)) return false;
        if (!response.has(HttpHeader.VARY, "Accept-Encoding") && !response.has(HttpHeader.VARY, "*"))
            response.add(HttpHeader.VARY, "Accept-Encoding");
        return Codings.prefersGzip(fields);
    }

    private void respondPacked(ByteBuffer body) {
        if (body.remaining() > PACKED_PIECE) {
            response.remove("Content-Length");
            write(body);
            end();
            return;
        }
        Gzip packing = beginGzip();
        ByteBuffer part = packing.part(body, false);
        byte[] whole = new byte[0];
        if (part.hasRemaining()) {
            whole = new byte[part.remaining()];
            part.get(whole);
        }
        ByteBuffer last = packing.end();
        ByteBuffer all = ByteBuffer.allocate(whole.length + last.remaining())
                .put(whole)
                .put(last)
                .flip();
        endGzip();
        respond(all, false);
    }

    private Gzip beginGzip() {
        // the same bytes in another coding are another representation, so their strong tag would be a lie
        String tag = response.get(HttpHeader.ETAG);
        if (tag != null && !tag.startsWith("W/")) response.set(new HttpField(HttpHeader.ETAG, "W/" + tag));
        response.remove("Accept-Ranges");
        response.set(new HttpField(HttpHeader.CONTENT_ENCODING, "gzip"));
        Gzip packing = server.takeGzip();
        gzip = packing;
        return packing;
    }

    private void endGzip() {
        if (gzip != null) server.giveGzip(gzip);
        gzip = null;
    }

    private void writePacked(Gzip packing, ByteBuffer part) {
        int limit = part.limit();
        do {
            part.limit(Math.min(limit, part.position() + PACKED_PIECE));
            boolean isLast = part.limit() == limit;
            ByteBuffer packed = part.hasRemaining() ? packing.part(part, isLast) : part;
            part.limit(limit);
            if (packed.hasRemaining() || progress == Progress.OPEN) writePlain(packed);
            if (!isLast) Async.suspend();
        } while (part.position() < limit);
    }

    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304 || status < 200;
    }

    /**
     * Sends a part of the response's body at once; the first one with the head.
     *
     * @param part taken to its limit
     */
    public void write(ByteBuffer part) {
        if (progress == Progress.ENDED || over)
            throw new IllegalStateException("the response is complete, so nothing can be written any more");
        if (progress == Progress.OPEN
                && !method.equals("HEAD")
                && !response.has(HttpHeader.CONTENT_LENGTH)
                && packs(-1)) beginGzip();
        if (gzip != null) writePacked(gzip, part);
        else writePlain(part);
    }

    private void writePlain(ByteBuffer part) {
        int length = part.remaining();
        boolean begins = progress == Progress.OPEN;
        if (begins) open();
        requireRoom(length);
        written += length;
        if (left >= 0) left -= length;
        boolean bare = progress == Progress.BARE;
        if (bare) part.position(part.limit());
        if (bare && !begins) return;
        requireReached();
        try {
            if (begins) wire.begin(status, response, announced(), bare, bare ? NOTHING : part);
            else wire.write(part);
        } catch (InputOutputException | AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    private void requireReached() {
        if (lost) throw new InputOutputException("the client has left", "ECONNRESET");
    }

    /** The length that the head names; -1 if none. */
    private long announced() {
        String length = response.get(HttpHeader.CONTENT_LENGTH);
        return length == null || hasNoBody(status) ? -1 : Long.parseLong(length);
    }

    private void requireRoom(long length) {
        if (progress != Progress.BEGUN || left < 0 || length <= left) return;
        long announced = written + left;
        throw new IllegalStateException(
                "Content-Length is " + announced + ", so " + length + " bytes more after " + written + " are too many");
    }

    /**
     * Sends a part of a file as a part of the response's body; the first one with the head.
     *
     * @param count what must be there: if the file has become shorter, it fails, and the response is cut
     */
    public void write(AsyncFile file, long position, long count) {
        long at = position;
        long end = position + count;
        if (count == 0 || count > Http1Wire.COPIED || method.equals("HEAD")) flush();
        if (progress == Progress.BARE) {
            written += count;
            return;
        }
        boolean direct = count > Http1Wire.COPIED && gzip == null && wire.isPlain();
        if (direct) requireRoom(count);
        while (at < end) {
            long sent;
            if (direct) {
                sent = send(file, at, Math.min(FILE_PIECE, end - at));
                written += sent;
                if (left >= 0) left -= sent;
            } else {
                ByteBuffer part = ByteBuffer.allocate((int) Math.min(4 * Http1Wire.COPIED, end - at));
                sent = file.read(part, at);
                if (sent > 0) write(part.flip());
            }
            if (sent <= 0)
                throw new InputOutputException(file + " became shorter while it was sent, so the response is cut", "");
            at += sent;
        }
    }

    /** Sends the head alone. */
    public void flush() {
        if (progress == Progress.OPEN) write(ByteBuffer.allocate(0));
    }

    private void open() {
        requireOpen();
        if (method.equals("HEAD") || hasNoBody(status)) progress = Progress.BARE;
        else {
            left = announced();
            progress = Progress.BEGUN;
        }
    }

    /** The response's body as a stream, always the same. */
    public ResponseOutput output() {
        if (output == null) output = new ResponseOutput(this);
        return output;
    }

    /** Sets the field unless it was set. */
    public void contentType(String type) {
        if (!response.has(HttpHeader.CONTENT_TYPE)) response.add(HttpHeader.CONTENT_TYPE, type);
    }

    /** Fields that are sent behind a body in chunks. */
    public Fields responseTrailers() {
        if (responseTrailers == null) responseTrailers = new Fields();
        return responseTrailers;
    }

    /** Completes the response. Does nothing if it is complete. */
    public void end() {
        if (gzip != null && progress != Progress.ENDED) {
            writePlain(gzip.end());
            endGzip();
        }
        switch (progress) {
            case OPEN -> respond(NOTHING.duplicate());
            case BEGUN -> {
                progress = Progress.ENDED;
                if (left > 0) {
                    lost = true;
                    throw new IllegalStateException(
                            "Content-Length is " + (written + left) + ", but only " + written + " bytes were written");
                }
                requireReached();
                try {
                    wire.end(responseTrailers);
                } catch (InputOutputException | AsyncCancellation e) {
                    lost = true;
                    throw e;
                }
            }
            case BARE -> progress = Progress.ENDED;
            case ENDED -> {}
        }
    }

    /** Ends the connection without completing the response, so that the peer sees that it is cut. */
    public void abort() {
        lost = true;
        progress = Progress.ENDED;
        wire.abort();
    }

    /**
     * Answers with another protocol's begin, and gives its stream to the handler, until that returns.
     *
     * @param code 101, or 200 for CONNECT
     */
    public ByteStream takeOver(int code) {
        requireOpen();
        if (!wire.ownsInput() || hasBody)
            throw new IllegalStateException("the request does not ask for another protocol");
        status = code;
        progress = Progress.ENDED;
        taken = true;
        requireReached();
        try {
            return wire.takeOver(code, response);
        } catch (InputOutputException | AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    /** Arranges the end of a response that goes on until its handler returns. */
    void tail(Tail last) {
        tail = last;
        if (server.isDraining()) last.drain();
    }

    /** Called when the server begins to drain. */
    void drain() {
        if (tail != null) tail.drain();
    }

    /** The server's scope, for what outlives the handler. */
    CoroutineScope serverScope() {
        return server.scope;
    }

    /** Refuses the request with a response of its own; returns what to throw. */
    RuntimeException refused(int code, String text) {
        status = code;
        text(text);
        return server.handler.failure(code, text);
    }

    /**
     * Begins a response of events, which ends with its handler: that is cancelled when the client leaves, and when the
     * server drains.
     */
    public void events() {
        requireOpen();
        if (method.equals("HEAD")) throw refused(405, "events are for GET");
        contentType("text/event-stream");
        if (!response.has(HttpHeader.CACHE_CONTROL)) response.add(HttpHeader.CACHE_CONTROL, "no-store");
        flush();
        tail(new Tail() {
            @Override
            public boolean end(@Nullable Throwable error) {
                // who was cancelled ends in order, so that the client comes again
                if (error instanceof AsyncCancellation && !lost) {
                    try {
                        Async.protect(ExchangeCore.this::end);
                    } catch (InputOutputException e) {
                        // it has gone
                    }
                }
                return false;
            }

            @Override
            public void drain() {
                CoroutineScope own = scope;
                if (own != null) own.cancel(new AsyncCancellation("the HTTP server ends its streams of events"), false);
            }
        });
    }

    private long send(AsyncFile file, long position, long count) {
        requireReached();
        try {
            return wire.write(file, position, count);
        } catch (InputOutputException e) {
            lost = wire.isClosed() || PEER_LOST.contains(e.errno());
            throw e;
        } catch (AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    // ---- its coroutine

    /** Where it runs. */
    void begin(CoroutineScope own) {
        scope = own;
        own.extras().request = true;
        own.launchFrom("an HTTP request", this);
        own.abandon();
    }

    @Override
    public void run() throws Exception {
        if (over) return;
        entered = true;
        Throwable error = null;
        try {
            if (lost) return; // its client has gone before it began
            if (!server.admit()) refuse(new Refusal(503, "too many requests are under way"));
            else {
                admitted = true;
                handle();
            }
        } catch (Throwable e) {
            error = (tail != null && tail.end(e)) || answers(e) ? null : e;
        } finally {
            error = finish(error);
        }
        if (error != null) sneak(error);
    }

    private void handle() throws Exception {
        requireBodyWithin(sentLength());
        long limit = server.settings.requestNanos;
        if (limit == 0) server.handler.handle(this);
        else within(limit);
        if (tail != null) tail.end(null);
        if (taken || lost) return;
        if (output != null) output.close();
        end();
    }

    private void within(long limit) throws Exception {
        Duration time = Duration.ofNanos(limit);
        leave(time);
        try {
            Async.withTimeout(time, () -> {
                try {
                    server.handler.handle(this);
                } catch (Throwable e) {
                    thrown = e;
                    throw e;
                }
            });
        } catch (AsyncTimeoutException e) {
            timedOut = e != thrown; // a handler has time limits of its own
            throw e;
        }
    }

    /** Lets what the handler spawns know the time that is left: it is cancelled with the handler. */
    private void leave(Duration time) {
        HeapTimer timer = server.loop.timers().oneShot(time);
        timer.setHidden(true);
        server.loop.currentScope().extras().setDeadline(timer);
        timer.start();
    }

    /** Answers in place of a coroutine that was cancelled before it began. */
    void answerUnlessBegun() {
        if (entered) return;
        entered = true;
        answers(new AsyncCancellation("the server ends"));
        conclude();
    }

    private void refuse(Refusal refusal) {
        server.counters.refusedRequests++;
        response.add(HttpHeader.RETRY_AFTER, "1");
        status = refusal.status();
        text(refusal.text());
    }

    private void text(String text) {
        response.remove("Content-Type");
        response.remove("Content-Length");
        response.add(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        respond(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Answers an error of the handler; returns true if nobody needs to hear of it. */
    private boolean answers(Throwable error) {
        if (lost && isOfClient(error)) return true;
        int code = server.handler.statusOf(error);
        String text = code == 0 ? null : error.getMessage();
        boolean known = code != 0;
        if (timedOut) {
            server.counters.requestTimeouts++;
            code = 503;
            text = "the request took too long";
            known = true;
        } else if (error instanceof AsyncCancellation) {
            server.counters.cancelled++;
            code = 503;
            text = server.isEnding() ? "the server is shutting down" : "the request was cancelled";
            wire.closeAfterwards();
        } else if (taken && isOfClient(error) && wire.isPeerGone()) {
            lost = true;
            return true;
        } else if (!known) {
            server.counters.failures++;
            code = 500;
            text = "the server failed to handle this request";
        }
        if (progress == Progress.OPEN && !lost && !wire.isClosed()) {
            int finalCode = code;
            String finalText = text == null ? "" : text;
            try {
                Async.protect(() -> {
                    response = new Fields();
                    status = finalCode;
                    if (finalCode == 503) response.add(HttpHeader.RETRY_AFTER, "1");
                    text(finalText);
                });
            } catch (Throwable e) {
                lost = true;
            }
        } else if (taken || progress != Progress.ENDED) lost = true;
        return known;
    }

    /** True for an error that only says that the connection has ended. */
    private static boolean isOfClient(Throwable error) {
        Throwable cause = error;
        for (int i = 0; cause != null && i < 10; i++, cause = cause.getCause())
            if (cause instanceof InputOutputException || cause instanceof AsyncCancellation) return true;
        return false;
    }

    /** Ends what it has spawned, then the request. Returns what is to be told, after all. */
    private @Nullable Throwable finish(@Nullable Throwable error) {
        CoroutineScope own = scope;
        try {
            if (own != null && own.isShared()) {
                own.extras().addFinally(closed -> conclude());
                own.cancel(new AsyncCancellation("the request is over"), false);
            } else conclude();
        } catch (Throwable e) {
            if (error == null) return e;
            error.addSuppressed(e);
        }
        return error;
    }

    private void conclude() {
        if (over) return;
        over = true;
        if (gzip != null) gzip.close();
        gzip = null;
        if (admitted) server.release();
        try {
            server.ended(this);
        } finally {
            wire.over(lost, taken);
            if (end != null) end.complete(this);
        }
    }

    /** True once response, handler and everything that it has spawned are done. */
    boolean isOver() {
        return over;
    }

    /** True if another request may follow on the connection. */
    boolean isReusable() {
        return wire.isKept() && !lost && !taken;
    }

    /** True if there is no more to be said to the client: it has gone, or the response was cut. */
    boolean isLost() {
        return lost;
    }

    /** For the access log. */
    Served served() {
        long nanos = server.loop.reactor().nanoTime() - begun;
        return Served.of(peer, this, isCommitted() ? status : 0, nanos);
    }

    /** Waits for its end; returns false if the time is over first. */
    boolean awaitEnd(@Nullable Duration limit) {
        if (over) return true;
        if (end == null) end = new FutureState<>();
        Future<Object> done = end.ignore().future();
        try {
            if (limit == null) Async.await(done);
            else Async.await(done, Async.timeout(limit));
            return true;
        } catch (org.trueasync.OperationCanceledException e) {
            return over;
        }
    }

    /** True if its handler is cancelled when the client leaves. */
    boolean endsWithPeer() {
        return server.settings.cancelsAbandoned && !wire.ownsInput() && (method.equals("GET") || method.equals("HEAD"));
    }

    /** Called when the peer has gone: nobody will read a response. */
    void abandoned(String why) {
        if (over) return;
        lost = true;
        if (!endsWithPeer()) return;
        server.counters.cancelled++;
        // a coroutine that was cancelled before it begins would never end the request; it sees by itself that it is
        // lost
        if (entered && scope != null) scope.cancel(new AsyncCancellation(why), false);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable error) throws X {
        throw (X) error;
    }
}
