package org.trueasync.internal.http.server;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.http.server.PeerDeadline.Phase;
import org.trueasync.io.ByteStream;
import org.trueasync.io.Pipe;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;
import org.trueasync.io.TlsStream;

/**
 * One connection. Its coroutine reads and parses; each request is handled by a coroutine of its own, which writes the
 * response. While a request without a body is handled, the reader waits for the next one already, and so notices a peer
 * that leaves.
 *
 * <pre>
 *  CONNECTING -> OPEN     the handshake of TLS is done, if there is one
 *  OPEN       -> CLOSING  no request follows: the last response says so, a head was refused or late, the server ends
 *  any        -> CLOSED   the peer has gone or does not end, or all is said
 * </pre>
 */
final class Connection {
    /** How far it has got; only forward. */
    private enum State {
        CONNECTING,
        OPEN,
        /** No request is begun any more; what is under way is answered. */
        CLOSING,
        CLOSED
    }

    private static final byte[] PREFACE = "PRI ".getBytes(StandardCharsets.US_ASCII);
    /** A peer that has closed its output may still read: its request may be answered for that long. */
    static final Duration GRACE = Duration.ofSeconds(1);
    /** How long the peer may send nothing while it is waited for its end, or for the rest of such a body. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final long LONGEST_LINGER = Duration.ofSeconds(15).toNanos();
    private static final long MAX_LINGERED = 64L * 1024 * 1024;
    /** When a drain begins, a request may be on its way already: on a new connection, on one that was kept. */
    private static final long GRACE_OF_NEW = Duration.ofMillis(500).toNanos();

    private static final long GRACE_OF_KEPT = Duration.ofMillis(100).toNanos();

    final ServerCore server;
    final ListenerSettings listener;
    /** Null for a Unix socket. */
    final @Nullable TcpStream tcp;
    /** For the access log; null without one. */
    @Nullable
    InetSocketAddress peer;

    /** What a proxy has told at the begin; null if nothing. */
    private @Nullable ProxyHeader proxied;

    final ConnectionOutput output;
    private final ConnectionInput input;
    private final PeerDeadline deadline;
    /** Null if it may become as old as it likes. */
    private final @Nullable ConnectionAge age;

    private final RequestParser parser;
    private final BodyInput body;
    private ByteStream stream;

    /** Null between two requests: an idle connection keeps nothing of the last one. */
    private @Nullable ExchangeCore exchange;

    private @Nullable Http2Session http2;
    private long requests;
    private State state = State.CONNECTING;
    /** The reader waits for bytes while a request is handled. */
    private boolean watching;
    /** It serves what is under way, and no more. */
    private boolean retired;

    Connection(ServerCore server, ListenerSettings listener, ByteStream stream) {
        this.server = server;
        this.listener = listener;
        this.tcp = stream instanceof TcpStream of ? of : null;
        this.stream = stream;
        this.deadline = new PeerDeadline(this);
        this.output = new ConnectionOutput(this, deadline);
        this.input = new ConnectionInput(this);
        this.parser = new RequestParser(server.parsers);
        this.body = new BodyInput(server, input, parser);
        this.peer = server.settings.listener == null || tcp == null ? null : tcp.remoteAddress();
        this.age = server.settings.ageNanos == 0 ? null : new ConnectionAge(this);
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
        if (isClosed()) return null;
        if (proxied != null) return proxied.source();
        return peer != null || tcp == null ? peer : tcp.remoteAddress();
    }

    /** Null once it is closed. */
    @Nullable
    InetSocketAddress localAddress() {
        if (proxied != null) return proxied.target();
        return isClosed() || tcp == null ? null : tcp.localAddress();
    }

    /** True if whoever has connected is known by a file's permissions, and by no address. */
    boolean isLocal() {
        return tcp == null && proxied == null;
    }

    /** True if the client speaks TLS, with this server or with a proxy that tells. */
    boolean isSecure() {
        return stream instanceof TlsStream || (proxied != null && proxied.secure());
    }

    // ---- the reader

    /** Serves the connection to its end. Runs in its coroutine. */
    void run() {
        try {
            if (listener.proxies != null || listener.tls != null)
                deadline.expect(Phase.HEAD, server.settings.headNanos);
            if (listener.proxies != null) readProxyHeader(listener.proxies);
            if (listener.tls != null && tcp != null) stream = handshake(tcp, listener.tls.apply(tcp));
            to(State.OPEN);
            expectRequest();
            if (speaksHttp2()) serveHttp2();
            else if (!listener.http1) refuse(new Refusal(505, "only HTTP/2 is spoken here"));
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

    private void readProxyHeader(TrustedPeers proxies) {
        if (tcp != null && !proxies.trusts(tcp.remoteAddress())) {
            server.counters.refusedConnections++;
            throw new InputOutputException("a connection of a peer that is no trusted proxy", "EACCES");
        }
        try {
            ProxyHeader header = ProxyHeader.read(stream);
            if (header.source() == null) return;
            proxied = header;
            if (server.settings.listener != null) peer = header.source();
        } catch (InputOutputException e) {
            if (!isClosed()) server.counters.malformed++;
            throw e;
        }
    }

    private TlsStream handshake(TcpStream plain, TlsOptions options) {
        try {
            return plain.tls(options);
        } catch (InputOutputException e) {
            if (!isClosed()) server.counters.failedHandshakes++;
            throw e;
        }
    }

    /** The server ends: its request, which was cancelled too, is answered before the connection is closed. */
    private void endRequest() {
        ExchangeCore under = exchange;
        if (under == null || isClosed()) return;
        under.answerUnlessBegun();
        under.awaitEnd();
        if (!under.isLost() && !isClosing()) linger();
    }

    /** Answers that there are too many connections. Runs in its coroutine. */
    void turnAway() {
        try {
            if (listener.tls == null) refuse(new Refusal(503, "too many connections"));
        } catch (InputOutputException e) {
            // it has gone
        } finally {
            close();
        }
    }

    /** True if the peer has chosen HTTP/2, or speaks it without asking (RFC 9113, 3.3). Waits for its first bytes. */
    private boolean speaksHttp2() {
        if (!listener.http2) return false;
        if (stream instanceof TlsStream tls) return "h2".equals(tls.applicationProtocol());
        while (true) {
            ByteBuffer in = input.bytes();
            int count = Math.min(in.remaining(), PREFACE.length);
            for (int i = 0; i < count; i++) if (in.get(in.position() + i) != PREFACE[i]) return false;
            if (count == PREFACE.length) return true;
            if (input.isEnded()) return false;
            if (input.readBehind() > 0 && deadline.phase() == Phase.IDLE)
                deadline.expect(Phase.HEAD, server.settings.headNanos);
        }
    }

    private void serveHttp2() {
        var session = new Http2Session(this);
        http2 = session;
        int room = Math.max(Http2Session.READ_BYTES, input.bytes().remaining());
        ByteBuffer larger = ByteBuffer.allocate(room).put(input.bytes()).flip();
        input.giveBack();
        idle(session.idleSince());
        if (isDraining()) session.drain();
        session.run(larger);
    }

    /** Reads for HTTP/2. */
    int readInto(ByteBuffer into, long nanos) {
        return input.readInto(into, nanos);
    }

    /** No request of HTTP/2 is under way. */
    void idle(long since) {
        if (deadline.phase() == Phase.LINGER || output.isBusy()) return;
        long nanos = server.settings.idleNanos;
        deadline.expect(
                Phase.IDLE,
                nanos == 0
                        ? 0
                        : Math.max(1, since + nanos - server.loop.reactor().nanoTime()));
    }

    /** A request of HTTP/2 has begun. */
    void handling() {
        if (!output.isBusy() && deadline.phase() != Phase.LINGER) deadline.disarm(Phase.HANDLING);
    }

    private boolean serveNext() {
        if (!readHead()) return false;
        if (server.scope.isCancelled()) {
            Async.protect(() -> refuse(new Refusal(503, "the server is shutting down")));
            return false;
        }
        ExchangeCore next = begin();
        if (next.awaitWatchable() && !input.bytes().hasRemaining()) watch();
        else next.awaitEnd();
        return goOn();
    }

    /** Begins to handle the request. */
    private ExchangeCore begin() {
        requests++;
        var next = new ExchangeCore(
                server, new Http1Wire(this, parser, body, requests < server.settings.maxRequestsPerConnection));
        exchange = next;
        deadline.disarm(Phase.HANDLING);
        server.start(next);
        return next;
    }

    /** Returns whether another request may follow. */
    private boolean goOn() {
        ExchangeCore ended = exchange;
        if (isClosed() || (ended != null && ended.isLost())) return false;
        if (!isClosing() && (ended == null || ended.isReusable())) {
            if (input.isEnded() && !input.bytes().hasRemaining()) return false;
            if (ended == null) return true;
            if (body.discard(this, LINGER)) {
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
            if (input.bytes().hasRemaining()) parser.parse(input.bytes());
            Refusal refusal = parser.refusal();
            if (refusal != null) {
                server.counters.malformed++;
                refuse(refusal);
                return false;
            }
            if (parser.isHeadComplete()) return true;
            if (input.isEnded()) return false;
            if (deadline.phase() == Phase.IDLE && parser.isBegun())
                deadline.expect(Phase.HEAD, server.settings.headNanos);
            if (input.read(null) < 0) parser.end();
            if (isClosing()) {
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
            count = input.read(null);
        } catch (InputOutputException e) {
            reset = true;
        } finally {
            watching = false;
        }
        ExchangeCore under = exchange;
        if (under == null) return;
        if (reset && !isClosed()) under.abandoned("the client has reset the connection");
        // it may still read, so it is answered; but nobody works long for a peer that may have gone
        if (count < 0 && under.endsWithPeer() && !under.awaitEnd(GRACE)) under.abandoned("the client has left");
        under.awaitEnd();
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
        if (isClosed() || !watching) return; // otherwise the reader goes on, and ends it
        if (byPeer || server.scope.isCancelled()) {
            close();
            return;
        }
        // a request may be on its way, which would destroy the answer if the connection was closed at once
        to(State.CLOSING);
        server.scope.launchFrom("the end of an HTTP connection", (Body) this::endOutput);
    }

    /** Whoever closes it is waited for no longer than needed. */
    void lingering() {
        if (!output.isBusy()) deadline.expect(Phase.LINGER, LINGER.toNanos());
    }

    void endOutput() {
        if (isClosed()) return;
        deadline.expect(Phase.LINGER, LINGER.toNanos());
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
        if (isDraining()) nanos = requests == 0 ? GRACE_OF_NEW : GRACE_OF_KEPT;
        deadline.expect(Phase.IDLE, nanos);
    }

    /** Answers what is no request. */
    private void refuse(Refusal refusal) {
        to(State.CLOSING);
        output.write(refused(refusal));
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
        to(State.CLOSING);
        long end = server.loop.reactor().nanoTime() + LONGEST_LINGER;
        deadline.disarm(Phase.LINGER); // each wait has its own limit
        long discarded = 0;
        int count = 0;
        while (count >= 0 && discarded < MAX_LINGERED && server.loop.reactor().nanoTime() < end) {
            var limit = server.loop.timers().timeout(LINGER);
            try {
                if (discarded == 0) shutdownOutput(limit);
                if (input.isEnded()) return;
                count = input.read(limit);
                discarded += count;
            } catch (InputOutputException | OperationCanceledException e) {
                return; // it has gone, or does not end
            } finally {
                limit.dispose();
            }
        }
    }

    private void shutdownOutput(@Nullable Completable<?> limit) {
        if (limit == null) stream.shutdownOutput();
        else if (stream instanceof TlsStream tls) tls.shutdownOutput(limit);
        else if (tcp != null) tcp.shutdownOutput(limit);
        else if (stream instanceof Pipe pipe) pipe.shutdownOutput(limit);
    }

    // ---- time

    /** Called in a coroutine of its own when the peer has been waited for long enough. */
    void expired(Phase late) {
        switch (late) {
            case IDLE -> {
                if (!isDraining()) server.counters.idleTimeouts++;
                if (http2 != null) {
                    http2.finish();
                    return;
                }
            }
            case HEAD -> {
                server.counters.headTimeouts++;
                if (state != State.CONNECTING) {
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
        to(State.CLOSING);
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
        retire();
        for (ExchangeCore under : underWay()) under.drain();
    }

    /** As {@link #drain}; those that go on for as long as they like are not told. */
    void retire() {
        if (retired) return;
        retired = true;
        if (http2 != null) http2.drain();
        else if (deadline.phase() == Phase.IDLE && state != State.CONNECTING) expectRequest();
    }

    /** Ends what is still under way; an answer that is on its way gets there. */
    void endRequests(String why) {
        List<ExchangeCore> all = underWay();
        if (all.isEmpty() && deadline.phase() != Phase.LINGER) close();
        for (ExchangeCore under : all) under.endOf(why);
    }

    private List<ExchangeCore> underWay() {
        if (http2 != null) return http2.exchanges();
        return exchange == null || exchange.isOver() ? List.of() : List.of(exchange);
    }

    /** The handler's coroutine has taken the stream over for another protocol; returns what was read already. */
    ByteBuffer takeOver() {
        deadline.disarm(Phase.HANDLING);
        return input.take();
    }

    /** True if a stream that was taken over has ended or is broken. Reads a byte, so it is of no use afterwards. */
    boolean isPeerGone() {
        if (isClosed() || stream.isClosed()) return true;
        try {
            return stream.tryRead(ByteBuffer.allocate(1)) < 0;
        } catch (InputOutputException e) {
            return true;
        }
    }

    void close() {
        if (isClosed()) return;
        to(State.CLOSED);
        // a handler that reads a body needs these until its end
        if (exchange == null || exchange.isOver()) {
            parser.release();
            input.giveBack();
        } else input.take();
        deadline.close();
        if (age != null) age.close();
        try {
            stream.close();
        } finally {
            server.left(this);
        }
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** True if no request is begun any more. */
    boolean isClosing() {
        return state.compareTo(State.CLOSING) >= 0;
    }

    private void to(State next) {
        if (next.compareTo(state) > 0) state = next;
    }

    boolean isDraining() {
        return retired || server.isDraining();
    }
}
