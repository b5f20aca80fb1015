package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;
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
        WRITING
    }

    private static final int READ_BYTES = 4 * 1024;
    private static final int BODY_BYTES = 32 * 1024;
    /** A peer that has closed its output may still read: its request may be answered for that long. */
    private static final Duration GRACE = Duration.ofSeconds(1);
    /** How much of a body that nobody wants is read, so that the connection can be kept, or the peer sees the answer. */
    private static final int MAX_DISCARDED = 256 * 1024;

    private static final Duration LINGER = Duration.ofSeconds(2);

    final ServerCore server;
    final TcpStream tcp;
    private ByteStream stream;
    private final RequestParser parser;
    private ByteBuffer in = ByteBuffer.allocate(READ_BYTES).limit(0);
    private @Nullable ExchangeCore exchange;
    private long requests;
    private Phase phase = Phase.IDLE;
    private long deadline;
    /** When the timer fires, if it is armed: at the deadline or before. */
    private long armedFor;

    private boolean taken;
    private boolean closing;
    private boolean closed;
    private boolean peerEnded;

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
        this.parser = new RequestParser(server.settings.maxHeaderBytes);
    }

    ByteStream stream() {
        return stream;
    }

    @Nullable
    TlsStream tls() {
        return stream instanceof TlsStream tls ? tls : null;
    }

    RequestParser parser() {
        return parser;
    }

    // ---- the reader

    /** Serves the connection to its end. Runs in its coroutine. */
    void run() {
        try {
            if (server.settings.tls != null) {
                expect(Phase.HEAD, server.settings.headNanos);
                stream = tcp.tls(server.settings.tls.apply(tcp));
            }
            expect(Phase.IDLE, server.settings.idleNanos);
            while (serveNext()) {}
        } catch (InputOutputException e) {
            // the peer has gone, or it was closed here; whoever handles a request is told by its own calls
            peerLost();
        } finally {
            close();
        }
    }

    /** Answers that there are too many connections. Runs in its coroutine. */
    void turnAway() {
        try {
            expect(Phase.WRITING, server.settings.headNanos);
            if (server.settings.tls == null) {
                server.answered(503);
                stream.write(canned(new Refusal(503, "too many connections")));
                linger();
            }
        } catch (InputOutputException e) {
            // it has gone
        } finally {
            close();
        }
    }

    private boolean serveNext() {
        if (!readHead()) return false;
        var next = new ExchangeCore(this, parser);
        exchange = next;
        requests++;
        next.keepsAlive(requests < server.settings.maxRequestsPerConnection);
        phase = Phase.HANDLING;
        deadline = Long.MAX_VALUE;
        server.start(next);
        if (!next.isOver()) {
            if (next.ownsInput() || in.hasRemaining()) next.awaitEnd(null);
            else if (!watch(next)) return false;
        }
        return goOn(next);
    }

    /** Returns whether another request may follow. */
    private boolean goOn(ExchangeCore ended) {
        if (taken || closing || closed || !ended.isReusable()) {
            if (!taken && !closed && ended.mustLinger()) linger();
            return false;
        }
        if (exchange == ended) nextRequest();
        return !(peerEnded && !in.hasRemaining());
    }

    /** Reads a head; returns false if there is none any more, or it was refused. */
    private boolean readHead() {
        while (true) {
            if (in.hasRemaining()) parser.parse(in);
            Refusal refusal = parser.refusal();
            if (refusal != null) {
                refuse(refusal);
                return false;
            }
            if (parser.isHeadComplete()) return true;
            if (peerEnded) return false;
            if (phase != Phase.HEAD && parser.isBegun()) expect(Phase.HEAD, server.settings.headNanos);
            if (read() < 0) {
                peerEnded = true;
                parser.end();
            }
        }
    }

    /** Reads ahead while a request is handled, and so notices that the peer leaves. */
    private boolean watch(ExchangeCore under) {
        int count;
        try {
            count = read();
        } catch (InputOutputException e) {
            if (!under.isOver()) {
                under.abandoned("the client has reset the connection");
                under.awaitEnd(null);
            }
            return false;
        }
        if (count < 0) {
            peerEnded = true;
            if (!under.isOver()) {
                if (!under.awaitEnd(GRACE)) {
                    under.abandoned("the client has left");
                    under.awaitEnd(null);
                }
            }
            return false;
        }
        if (!under.isOver()) under.awaitEnd(null);
        return true;
    }

    /** Called by the handler's coroutine when its response is complete, and the connection goes on. */
    void responded() {
        phase = Phase.IDLE;
        expect(Phase.IDLE, server.settings.idleNanos);
    }

    private void nextRequest() {
        exchange = null;
        parser.next();
        if (in.capacity() > READ_BYTES && !in.hasRemaining()) {
            server.bodyBuffers.give(in);
            in = ByteBuffer.allocate(READ_BYTES).limit(0);
        }
        expect(Phase.IDLE, server.settings.idleNanos);
        if (server.isDraining() && !in.hasRemaining()) closing = true;
    }

    private int read() {
        return read(null);
    }

    /** Reads into the empty buffer; returns the count, or -1 at the end. */
    private int read(@Nullable Completable<?> token) {
        in.clear();
        int count = -1;
        try {
            count = token == null ? stream.read(in) : stream.read(in, token);
        } finally {
            in.flip();
        }
        if (count > 0) server.counters.bytesIn += count;
        return count;
    }

    // ---- bodies, for the handler's coroutine

    /**
     * Reads the next part of the body, if the parser has none left. Returns false at its end.
     *
     * @throws ReadTimeout if none comes for too long
     */
    boolean readBody() {
        while (!parser.content().hasRemaining()) {
            if (parser.isComplete() || parser.refusal() != null) return false;
            parser.parse(in);
            if (parser.content().hasRemaining() || parser.isComplete() || in.hasRemaining()) continue;
            if (peerEnded)
                throw new InputOutputException(
                        "the client has closed its output in the middle of a body", "ECONNRESET");
            if (in.capacity() == READ_BYTES)
                in = server.bodyBuffers.take(BODY_BYTES).limit(0);
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
        in.clear();
        int count = 0;
        try {
            count = stream.tryRead(in);
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

    /** Reads and forgets what is left of a body; returns whether it has come to its end. */
    boolean discardBody() {
        int discarded = 0;
        while (!parser.isComplete()) {
            if (parser.refusal() != null || discarded > MAX_DISCARDED) return false;
            ByteBuffer part = parser.content();
            if (part.hasRemaining()) {
                discarded += part.remaining();
                part.position(part.limit());
                continue;
            }
            parser.parse(in);
            if (!in.hasRemaining() && !parser.content().hasRemaining() && !parser.isComplete()) {
                // what is not there yet is not waited for: the response must not wait for the peer
                if (peerEnded || tryRead() <= 0) return false;
            }
        }
        return true;
    }

    // ---- writing

    /** Writes; a peer that does not read ends the connection in the end. */
    void write(ByteBuffer bytes) {
        long count = bytes.remaining();
        beginWrite();
        try {
            stream.write(bytes);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of two, one after another. */
    void write(ByteBuffer first, ByteBuffer second) {
        long count = (long) first.remaining() + second.remaining();
        beginWrite();
        try {
            stream.write(first, second);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of a part of a file; returns how many bytes there were. */
    long write(AsyncFile file, long position, long count) {
        long sent;
        beginWrite();
        try {
            sent = file.sendTo(stream, position, count);
        } finally {
            endWrite();
        }
        server.counters.bytesOut += sent;
        return sent;
    }

    private void beginWrite() {
        expect(Phase.WRITING, server.settings.writeNanos);
    }

    private void endWrite() {
        if (phase == Phase.WRITING) {
            phase = Phase.HANDLING;
            deadline = Long.MAX_VALUE;
        }
    }

    private void refuse(Refusal refusal) {
        server.counters.malformed++;
        ByteBuffer response = canned(refusal);
        server.answered(refusal.status());
        write(response);
        linger();
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
        var limit = server.loop.timers().timeout(LINGER);
        try {
            if (stream instanceof TlsStream tls) tls.shutdownOutput(limit);
            else tcp.shutdownOutput(limit);
            long discarded = 0;
            while (discarded < 64L * MAX_DISCARDED) {
                int count = read(limit);
                if (count < 0) return;
                discarded += count;
            }
        } catch (InputOutputException | OperationCanceledException e) {
            // it has gone, or does not end
        } finally {
            limit.dispose();
        }
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
        if (deadline > now) {
            armedFor = deadline;
            server.loop.timers().add(timer, deadline);
            return;
        }
        Phase late = phase;
        server.scope.launchFrom("a connection's time limit", (Body) () -> expired(late));
    }

    private void expired(Phase late) {
        if (closed || phase != late || closing) return;
        closing = true;
        switch (late) {
            case IDLE -> server.counters.idleTimeouts++;
            case HEAD -> {
                server.counters.headTimeouts++;
                if (tls() != null || server.settings.tls == null) {
                    var refusal = new Refusal(408, "the head of the request did not come in time");
                    server.answered(408);
                    try {
                        stream.write(canned(refusal));
                    } catch (InputOutputException e) {
                        // it has gone
                    }
                }
            }
            case WRITING -> server.counters.writeTimeouts++;
            case HANDLING -> {
                return;
            }
        }
        close();
    }

    // ---- its end

    /** Tells that nothing but what is under way is served any more. */
    void drain() {
        closing |= phase == Phase.IDLE && !in.hasRemaining();
        if (closing && phase == Phase.IDLE) close();
    }

    private void peerLost() {
        ExchangeCore under = exchange;
        if (under != null && !under.isOver()) under.abandoned("the client has reset the connection");
    }

    /** The handler's coroutine has taken the stream over for another protocol; returns what was read already. */
    ByteBuffer takeOver() {
        taken = true;
        deadline = Long.MAX_VALUE;
        return in;
    }

    void close() {
        if (closed) return;
        closed = true;
        if (timer.isArmed()) server.loop.timers().remove(timer);
        if (in.capacity() > READ_BYTES) {
            server.bodyBuffers.give(in);
            in = ByteBuffer.allocate(0);
        }
        stream.close();
        server.left(this);
    }

    boolean isClosed() {
        return closed;
    }

    boolean isDraining() {
        return server.isDraining();
    }
}
