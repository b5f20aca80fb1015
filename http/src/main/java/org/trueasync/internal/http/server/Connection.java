package org.trueasync.internal.http.server;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;
import org.trueasync.io.TlsStream;

/**
 * One connection. Its coroutine reads and parses; each request is handled by a coroutine of its own, which writes the
 * response. While a request without a body is handled, the reader waits for the next one already, and so notices a peer
 * that leaves.
 */
final class Connection {
    /** What the peer is waited for. A timer for all of them is moved only when it is due. */
    private enum Phase {
        IDLE,
        HEAD,
        HANDLING,
        WRITING,
        LINGER
    }

    private static final byte[] PREFACE = "PRI ".getBytes(StandardCharsets.US_ASCII);
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /** A peer that has closed its output may still read: its request may be answered for that long. */
    private static final Duration GRACE = Duration.ofSeconds(1);
    /** How much of a body that nobody wants is read, so that the connection can be kept. */
    static final int MAX_DISCARDED = 256 * 1024;

    /** How long the peer may send nothing while it is waited for its end, or for the rest of such a body. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final long LONGEST_LINGER = Duration.ofSeconds(15).toNanos();
    private static final long MAX_LINGERED = 64L * 1024 * 1024;
    /** When a drain begins, a request may be on its way already: on a new connection, on one that was kept. */
    private static final long GRACE_OF_NEW = Duration.ofMillis(500).toNanos();

    private static final long GRACE_OF_KEPT = Duration.ofMillis(100).toNanos();

    final ServerCore server;
    final TcpStream tcp;
    /** For the access log; null without one. */
    final @Nullable InetSocketAddress peer;

    private ByteStream stream;
    private final RequestParser parser;
    /** What was read and not parsed. Empty while the connection waits: then its buffer is another one's. */
    private ByteBuffer in = NONE;

    /** Null between two requests: an idle connection keeps nothing of the last one. */
    private @Nullable ExchangeCore exchange;

    private @Nullable Http2Session http2;
    private long requests;
    private Phase phase = Phase.IDLE;
    private long deadline;
    /** When the timer fires, if it is armed: at the deadline or before. */
    private long armedFor;

    /** How many coroutines write now, and what the first of them writes: it moves while the peer reads. */
    private int writers;

    private @Nullable ByteBuffer writing;
    private int unwritten;

    private boolean handshaken;
    /** No request is begun any more. */
    private boolean closing;

    private boolean closed;
    private boolean peerEnded;
    /** The reader waits for bytes while a request is handled. */
    private boolean watching;

    private final TimerEntry timer = new TimerEntry() {
        @Override
        protected int readAhead() {
            return closed ? 1 : 0;
        }

        @Override
        protected void fire(long now) {
            server.loop.timers().remove(this);
            due(now);
        }
    };

    Connection(ServerCore server, TcpStream tcp) {
        this.server = server;
        this.tcp = tcp;
        this.stream = tcp;
        this.parser = new RequestParser(server.parsers);
        this.peer = server.settings.listener == null ? null : tcp.remoteAddress();
    }

    ByteStream stream() {
        return stream;
    }

    @Nullable
    TlsStream tls() {
        return stream instanceof TlsStream tls ? tls : null;
    }

    /** Null once it is closed. */
    @Nullable
    InetSocketAddress peerAddress() {
        if (closed) return null;
        return peer == null ? tcp.remoteAddress() : peer;
    }

    /** Null once it is closed. */
    @Nullable
    InetSocketAddress localAddress() {
        return closed ? null : tcp.localAddress();
    }

    // ---- the reader

    /** Serves the connection to its end. Runs in its coroutine. */
    void run() {
        try {
            if (server.settings.tls != null) {
                expect(Phase.HEAD, server.settings.headNanos);
                stream = handshake(server.settings.tls.apply(tcp));
            }
            handshaken = true;
            expectRequest();
            if (speaksHttp2()) serveHttp2();
            else while (serveNext()) {}
        } catch (InputOutputException e) {
            // the peer has gone, or it was closed here; whoever handles a request is told by its own calls
        } catch (AsyncCancellation e) {
            Async.protect(this::endRequest);
            throw e;
        } finally {
            close();
        }
    }

    private TlsStream handshake(TlsOptions options) {
        try {
            return tcp.tls(options);
        } catch (InputOutputException e) {
            if (!closed) server.counters.failedHandshakes++;
            throw e;
        }
    }

    /** The server ends: its request, which was cancelled too, is answered before the connection is closed. */
    private void endRequest() {
        ExchangeCore under = exchange;
        if (under == null || closed) return;
        under.answerUnlessBegun();
        under.awaitEnd(null);
        if (!closed && !under.isLost() && !closing) linger();
    }

    /** Answers that there are too many connections. Runs in its coroutine. */
    void turnAway() {
        try {
            if (server.settings.tls == null) refuse(new Refusal(503, "too many connections"));
        } catch (InputOutputException e) {
            // it has gone
        } finally {
            close();
        }
    }

    /** True if the peer has chosen HTTP/2, or speaks it without asking (RFC 9113, 3.3). Waits for its first bytes. */
    private boolean speaksHttp2() {
        if (!server.settings.http2) return false;
        if (stream instanceof TlsStream tls) return "h2".equals(tls.applicationProtocol());
        while (true) {
            int count = Math.min(in.remaining(), PREFACE.length);
            for (int i = 0; i < count; i++) if (in.get(in.position() + i) != PREFACE[i]) return false;
            if (count == PREFACE.length) return true;
            if (peerEnded) return false;
            if (in.hasRemaining() ? readBehind() < 0 : read() < 0) peerEnded = true;
            else if (phase == Phase.IDLE) expect(Phase.HEAD, server.settings.headNanos);
        }
    }

    /** As {@link #read()}, behind the few bytes that are there. */
    private int readBehind() {
        in.compact();
        try {
            return readInto(in, 0);
        } finally {
            in.flip();
        }
    }

    private void serveHttp2() {
        var session = new Http2Session(this);
        http2 = session;
        int room = Math.max(Http2Session.READ_BYTES, in.remaining());
        ByteBuffer larger = ByteBuffer.allocate(room).put(in).flip();
        giveBack();
        idle(session.idleSince());
        if (server.isDraining()) session.drain();
        session.run(larger);
    }

    /** Reads for HTTP/2. */
    int readInto(ByteBuffer into, long nanos) {
        int count;
        if (nanos == 0) count = stream.read(into);
        else {
            var limit = server.loop.timers().timeout(Duration.ofNanos(nanos));
            try {
                count = stream.read(into, limit);
            } finally {
                limit.dispose();
            }
        }
        if (count > 0) server.counters.bytesIn += count;
        return count;
    }

    /** No request of HTTP/2 is under way. */
    void idle(long since) {
        if (phase == Phase.LINGER || writers > 0) return;
        long nanos = server.settings.idleNanos;
        expect(
                Phase.IDLE,
                nanos == 0
                        ? 0
                        : Math.max(1, since + nanos - server.loop.reactor().nanoTime()));
    }

    /** A request of HTTP/2 has begun. */
    void handling() {
        if (writers > 0 || phase == Phase.LINGER) return;
        phase = Phase.HANDLING;
        deadline = Long.MAX_VALUE;
    }

    private boolean serveNext() {
        if (!readHead()) return false;
        if (server.scope.isCancelled()) {
            Async.protect(() -> refuse(new Refusal(503, "the server is shutting down")));
            return false;
        }
        if (begin() || in.hasRemaining()) awaitEnd();
        else watch();
        return goOn();
    }

    /** Begins to handle the request; returns true if nobody else may read meanwhile. */
    private boolean begin() {
        requests++;
        var next = new ExchangeCore(
                server, new Http1Wire(this, parser, requests < server.settings.maxRequestsPerConnection));
        exchange = next;
        phase = Phase.HANDLING;
        deadline = Long.MAX_VALUE;
        server.start(next);
        return next.ownsInput();
    }

    private void awaitEnd() {
        ExchangeCore under = exchange;
        if (under != null) under.awaitEnd(null);
    }

    /** Returns whether another request may follow. */
    private boolean goOn() {
        ExchangeCore ended = exchange;
        if (closed || (ended != null && ended.isLost())) return false;
        if (!closing && (ended == null || ended.isReusable())) {
            if (peerEnded && !in.hasRemaining()) return false;
            if (ended == null) return true;
            if (discardBody()) {
                nextRequest();
                expectRequest();
                return true;
            }
        }
        linger();
        return false;
    }

    /** Reads a head; returns false if there is none any more, or it was refused. */
    private boolean readHead() {
        while (true) {
            if (in.hasRemaining()) parser.parse(in);
            Refusal refusal = parser.refusal();
            if (refusal != null) {
                server.counters.malformed++;
                refuse(refusal);
                return false;
            }
            if (parser.isHeadComplete()) return true;
            if (peerEnded) return false;
            if (phase == Phase.IDLE && parser.isBegun()) expect(Phase.HEAD, server.settings.headNanos);
            if (read() < 0) {
                peerEnded = true;
                parser.end();
            }
            if (closing) {
                linger();
                return false;
            }
        }
    }

    /**
     * Reads ahead while a request is handled, and so notices that the peer leaves. Returns when the request is over.
     */
    private void watch() {
        int count = 0;
        boolean reset = false;
        watching = true;
        try {
            count = read();
        } catch (InputOutputException e) {
            reset = true;
        } finally {
            watching = false;
        }
        if (count < 0) peerEnded = true;
        ExchangeCore under = exchange;
        if (under == null) return;
        if (reset && !closed) under.abandoned("the client has reset the connection");
        // it may still read, so it is answered; but nobody works long for a peer that may have gone
        if (count < 0 && under.endsWithPeer() && !under.awaitEnd(GRACE)) under.abandoned("the client has left");
        under.awaitEnd(null);
    }

    /** Called when a request is over, and another one may follow. */
    void responded() {
        if (watching) nextRequest();
        expectRequest();
    }

    /**
     * Called when a request is over, and the connection with it.
     *
     * @param byPeer the peer has asked for it, so it sends nothing more
     */
    void ending(boolean byPeer) {
        if (closed || !watching) return; // otherwise the reader goes on, and ends it
        if (byPeer || server.scope.isCancelled()) {
            close();
            return;
        }
        // a request may be on its way, which would destroy the answer if the connection was closed at once
        closing = true;
        server.scope.launchFrom("the end of an HTTP connection", (Body) this::endOutput);
    }

    /** Whoever closes it is waited for no longer than needed. */
    void lingering() {
        if (writers == 0) expect(Phase.LINGER, LINGER.toNanos());
    }

    void endOutput() {
        if (closed) return;
        expect(Phase.LINGER, LINGER.toNanos());
        try {
            shutdownOutput(null);
        } catch (InputOutputException e) {
            // it has gone; the reader sees it too
        }
    }

    private void nextRequest() {
        exchange = null;
        parser.next();
    }

    private void expectRequest() {
        long nanos = server.settings.idleNanos;
        if (server.isDraining()) nanos = requests == 0 ? GRACE_OF_NEW : GRACE_OF_KEPT;
        expect(Phase.IDLE, nanos);
    }

    private int read() {
        return read(null);
    }

    /** Waits without a buffer, and reads into one; returns the count, or -1 at the end. */
    private int read(@Nullable Completable<?> token) {
        giveBack();
        int count = -1;
        try {
            if (stream == tcp) count = token == null ? tcp.read(this::room) : tcp.read(this::room, token);
            else count = token == null ? stream.read(room(0)) : stream.read(room(0), token);
        } finally {
            in.flip();
        }
        if (count > 0) server.counters.bytesIn += count;
        return count;
    }

    /** Takes a buffer for that many bytes, or for a part of them. */
    private ByteBuffer room(int count) {
        in = server.buffers.take(count);
        return in;
    }

    /** Gives the buffer back, as nothing is left in it; nor in {@link RequestParser#content}, which is a part of it. */
    private void giveBack() {
        ByteBuffer empty = in;
        in = NONE;
        server.buffers.give(empty);
    }

    // ---- bodies, for the handler's coroutine

    /**
     * Reads the next part of the body, if the parser has none left. Returns false at its end.
     *
     * @throws ReadTimeout if none comes for too long
     */
    boolean readBody() {
        while (!parser.content().hasRemaining()) {
            if (parser.isAtEnd()) return false;
            parser.parse(in);
            if (parser.content().hasRemaining() || parser.isAtEnd() || in.hasRemaining()) continue;
            if (peerEnded)
                throw new InputOutputException(
                        "the client has closed its output in the middle of a body", "ECONNRESET");
            int count = tryRead();
            if (count == 0) count = readWithin(server.settings.bodyNanos);
            if (count < 0) {
                peerEnded = true;
                parser.end();
            }
        }
        return true;
    }

    private int tryRead() {
        if (!Buffers.isLarge(in)) {
            giveBack();
            room(Integer.MAX_VALUE);
        }
        int count = 0;
        try {
            count = stream.tryRead(in.clear());
        } finally {
            in.flip();
        }
        if (count > 0) server.counters.bytesIn += count;
        return count;
    }

    private int readWithin(long nanos) {
        if (nanos == 0) return read();
        var limit = server.loop.timers().timeout(Duration.ofNanos(nanos));
        try {
            return read(limit);
        } catch (OperationCanceledException e) {
            server.counters.bodyTimeouts++;
            throw new BodyTimeout(Duration.ofNanos(nanos));
        } finally {
            limit.dispose();
        }
    }

    /**
     * Reads and forgets what is left of the body of a request that is over. Returns whether it has come to its end, so
     * that the next request can be read.
     */
    private boolean discardBody() {
        if (parser.isComplete()) return true;
        long discarded = 0;
        var limit = server.loop.timers().timeout(LINGER);
        try {
            while (!parser.isComplete()) {
                ByteBuffer part = parser.content();
                discarded += part.remaining();
                part.position(part.limit());
                if (parser.refusal() != null || discarded > MAX_DISCARDED) return false;
                parser.parse(in);
                if (in.hasRemaining() || parser.content().hasRemaining() || parser.isAtEnd()) continue;
                if (peerEnded || closing || read(limit) < 0) return false;
            }
            return true;
        } catch (OperationCanceledException e) {
            return false;
        } finally {
            limit.dispose();
        }
    }

    // ---- writing

    /** Writes; a peer that does not read ends the connection in the end. */
    void write(ByteBuffer bytes) {
        long count = bytes.remaining();
        beginWrite(bytes);
        try {
            stream.write(bytes);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of several, one after another; the second one is the long one. */
    void write(ByteBuffer... parts) {
        long count = 0;
        for (ByteBuffer part : parts) count += part.remaining();
        beginWrite(parts[1]);
        try {
            stream.write(parts);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of a part of a file; returns how many bytes there were. */
    long write(AsyncFile file, long position, long count) {
        long sent;
        beginWrite(null);
        try {
            sent = file.sendTo(stream, position, count);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += sent;
        return sent;
    }

    void beginWrite(@Nullable ByteBuffer bytes) {
        if (writers++ > 0) return;
        writing = bytes;
        unwritten = bytes == null ? 0 : bytes.remaining();
        expect(Phase.WRITING, server.settings.writeNanos);
    }

    void endWrite() {
        writing = null;
        if (--writers > 0) expect(Phase.WRITING, server.settings.writeNanos);
        else if (phase == Phase.WRITING) {
            phase = Phase.HANDLING;
            deadline = Long.MAX_VALUE;
        }
    }

    /** True if the peer has read something of the write under way since it was asked last. */
    private boolean isRead() {
        ByteBuffer bytes = writing;
        if (bytes == null || bytes.remaining() == unwritten) return false;
        unwritten = bytes.remaining();
        return true;
    }

    /** Answers what is no request. */
    private void refuse(Refusal refusal) {
        closing = true;
        write(refused(refusal));
        linger();
    }

    private ByteBuffer refused(Refusal refusal) {
        ByteBuffer response = canned(refusal);
        server.answered(refusal.status());
        server.served(() -> Served.refused(peer, parser, refusal.status(), response.remaining()));
        return response;
    }

    static ByteBuffer canned(Refusal refusal) {
        String text = refusal.text() + "\n";
        var head = new HeadWriter(256).status(refusal.status()).date().close();
        if (refusal.status() == 503) head.field("Retry-After", "1");
        return head.field("Content-Type", "text/plain; charset=utf-8")
                .length(text.length())
                .endLine()
                .text(text)
                .buffer();
    }

    /** Ends the output, then reads until the peer has seen it: to close at once could destroy the answer on its way. */
    private void linger() {
        closing = true;
        long end = server.loop.reactor().nanoTime() + LONGEST_LINGER;
        phase = Phase.LINGER;
        deadline = Long.MAX_VALUE; // each wait has its own limit
        long discarded = 0;
        int count = 0;
        while (count >= 0 && discarded < MAX_LINGERED && server.loop.reactor().nanoTime() < end) {
            var limit = server.loop.timers().timeout(LINGER);
            try {
                if (discarded == 0) shutdownOutput(limit);
                if (peerEnded) return;
                count = read(limit);
                discarded += count;
            } catch (InputOutputException | OperationCanceledException e) {
                return; // it has gone, or does not end
            } finally {
                limit.dispose();
            }
        }
    }

    private void shutdownOutput(@Nullable Completable<?> limit) {
        if (stream instanceof TlsStream tls) {
            if (limit == null) tls.shutdownOutput();
            else tls.shutdownOutput(limit);
        } else if (limit == null) tcp.shutdownOutput();
        else tcp.shutdownOutput(limit);
    }

    // ---- time

    private void expect(Phase next, long nanos) {
        phase = next;
        if (nanos == 0) {
            deadline = Long.MAX_VALUE;
            return;
        }
        long now = server.loop.reactor().nanoTime();
        deadline = now + nanos;
        if (!timer.isArmed()) {
            if (!closed) {
                armedFor = deadline;
                server.loop.timers().add(timer, deadline);
            }
        } else if (deadline < armedFor) {
            server.loop.timers().remove(timer);
            armedFor = deadline;
            server.loop.timers().add(timer, deadline);
        }
    }

    private void due(long now) {
        if (closed || deadline == Long.MAX_VALUE) return;
        if (deadline <= now && phase == Phase.WRITING && isRead()) deadline = now + server.settings.writeNanos;
        if (deadline > now) {
            armedFor = deadline;
            server.loop.timers().add(timer, deadline);
        } else if (server.scope.isCancelled()) close();
        else {
            Phase late = phase;
            server.scope.launchFrom("a connection's time limit", (Body) () -> expired(late));
        }
    }

    private void expired(Phase late) {
        if (closed || phase != late || deadline > server.loop.reactor().nanoTime()) return;
        switch (late) {
            case IDLE -> {
                if (!server.isDraining()) server.counters.idleTimeouts++;
                if (http2 != null) {
                    http2.finish();
                    return;
                }
            }
            case HEAD -> {
                server.counters.headTimeouts++;
                if (handshaken) {
                    answerLate();
                    return;
                }
            }
            case WRITING -> server.counters.writeTimeouts++;
            case LINGER -> {}
            case HANDLING -> {
                return;
            }
        }
        close();
    }

    /** The reader waits for the rest of the head meanwhile. */
    private void answerLate() {
        closing = true;
        var limit = server.loop.timers().timeout(LINGER);
        try {
            stream.write(refused(new Refusal(408, "the head of the request did not come in time")), limit);
            endOutput();
        } catch (InputOutputException | OperationCanceledException e) {
            close(); // it has gone, or does not read
        } finally {
            limit.dispose();
        }
    }

    // ---- its end

    /** Tells that nothing but what is under way is served any more. */
    void drain() {
        if (http2 != null) http2.drain();
        else if (phase == Phase.IDLE && handshaken) expectRequest();
        ExchangeCore under = exchange;
        if (under != null && !under.isOver()) under.drain();
    }

    /** The handler's coroutine has taken the stream over for another protocol; returns what was read already. */
    ByteBuffer takeOver() {
        deadline = Long.MAX_VALUE;
        ByteBuffer before = in;
        in = NONE; // the other is not given back: its bytes are still to be read
        return before;
    }

    /** True if a stream that was taken over has ended or is broken. Reads a byte, so it is of no use afterwards. */
    boolean isPeerGone() {
        if (closed || stream.isClosed()) return true;
        try {
            return stream.tryRead(ByteBuffer.allocate(1)) < 0;
        } catch (InputOutputException e) {
            return true;
        }
    }

    void close() {
        if (closed) return;
        closed = true;
        // a handler that reads a body needs these until its end
        if (exchange == null || exchange.isOver()) {
            parser.release();
            giveBack();
        }
        in = NONE;
        if (timer.isArmed()) server.loop.timers().remove(timer);
        try {
            stream.close();
        } finally {
            server.left(this);
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isDraining() {
        return server.isDraining();
    }
}
