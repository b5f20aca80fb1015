package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.h2.H2Limits;
import org.trueasync.internal.http.h2.H2Server;
import org.trueasync.internal.http.h2.ServerLink;
import org.trueasync.internal.http.h2.ServerStream;
import org.trueasync.internal.http.h2.Waiters;
import org.trueasync.internal.http.message.Dates;
import org.trueasync.internal.http.message.Fields;

/** HTTP/2 on a connection: each stream is a request, and many are handled at a time. */
final class Http2Session implements ServerLink {
    private static final int STREAMS = 128;
    private static final int STREAM_WINDOW = 256 * 1024;
    private static final int CONNECTION_WINDOW = 1024 * 1024;
    private static final int FREE_EVENTS = 200;
    static final int READ_BYTES = 16 * 1024;

    /** When a drain begins, a request may be on its way already. */
    private static final long GRACE_MILLIS = 100;

    private final Connection connection;
    private final ServerCore server;
    private final H2Server frames;
    private long requests;
    /** Woken when no request is under way, and when nothing is written any more. */
    private final Waiters changes = new Waiters();

    private long idleSince;

    Http2Session(Connection connection) {
        this.connection = connection;
        this.server = connection.server;
        this.idleSince = now();
        ServerSettings settings = server.settings;
        this.frames = new H2Server(
                this,
                new H2Limits(
                        settings.maxHeaderBytes,
                        STREAMS,
                        STREAM_WINDOW,
                        CONNECTION_WINDOW,
                        FREE_EVENTS,
                        settings.headNanos,
                        settings.writeNanos));
    }

    /**
     * Serves the connection to its end; in its coroutine.
     *
     * @param in its first bytes
     */
    void run(ByteBuffer in) {
        if (server.scope.isCancelled()) return;
        server.scope.launchFrom("the output of an HTTP/2 connection", (Body) this::write);
        try {
            frames.read(in);
            answerHalfClosed();
        } catch (AsyncCancellation e) {
            Async.protect(() -> answerAll(in));
            throw e;
        } finally {
            Async.protect(this::leave);
        }
    }

    private void write() {
        try {
            Async.protect(frames::write);
        } finally {
            changes.wake();
        }
    }

    /** The peer has closed its output. It may still read; but nobody works long for a peer that may have gone. */
    private void answerHalfClosed() {
        if (connection.isClosed()) return;
        frames.inputEnded();
        long end = now() + Connection.GRACE.toNanos();
        try {
            while (!isDone()) changes.await(Math.max(1, end - now()));
        } catch (OperationCanceledException e) {
            for (ExchangeCore under : exchanges()) if (under.endsWithPeer()) under.abandoned("the client has left");
        }
        while (!isDone()) changes.await();
        finish();
        while (!frames.isWritten()) changes.await();
    }

    /** True if all requests are answered, or no answer can be sent. */
    private boolean isDone() {
        return frames.isIdle() || frames.isWritten();
    }

    /** The server ends: its requests, which were cancelled too, are answered before the connection is closed. */
    private void answerAll(ByteBuffer in) {
        for (ExchangeCore under : exchanges()) under.answerUnlessBegun();
        awaitIdle();
        finish();
        while (!connection.isClosed() && connection.readInto(in.clear(), 0) >= 0) {}
    }

    private void leave() {
        frames.ended();
        connection.close();
        awaitIdle();
    }

    private void awaitIdle() {
        while (!frames.isIdle()) changes.await();
    }

    /** True if no request is under way. */
    boolean isIdle() {
        return frames.isIdle();
    }

    /** Since when, in nanoseconds of the loop's clock. */
    long idleSince() {
        return idleSince;
    }

    /** The requests that are under way. */
    List<ExchangeCore> exchanges() {
        return frames.owners().stream()
                .map(owner -> ((Http2Wire) owner).exchange())
                .toList();
    }

    /** Tells the peer that no more requests are taken. */
    void drain() {
        frames.announceEnd();
        server.scope.launchFrom("the end of an HTTP/2 connection", (Body) () -> {
            Async.delay(GRACE_MILLIS);
            frames.drain();
            if (frames.isIdle()) finish();
        });
    }

    /** Ends the connection when all is written. */
    void finish() {
        frames.finish();
        connection.lingering();
    }

    // ---- for the frames

    @Override
    public int read(ByteBuffer into, long nanos) {
        return connection.readInto(into, nanos);
    }

    @Override
    public void write(ByteBuffer bytes) {
        connection.output.write(bytes);
        if (frames.isIdle()) connection.idle(idleSince);
    }

    @Override
    public void endOutput() {
        connection.endOutput();
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public long now() {
        return server.loop.reactor().nanoTime();
    }

    @Override
    public void malformed() {
        server.counters.malformed++;
    }

    @Override
    public void lateHead() {
        server.counters.headTimeouts++;
    }

    @Override
    public void notRead() {
        server.counters.writeTimeouts++;
    }

    @Override
    public void begin(ServerStream stream) {
        Refusal refusal = check(stream);
        if (refusal != null) {
            refuse(stream, refusal);
            return;
        }
        connection.handling();
        var wire = new Http2Wire(this, connection, stream);
        var exchange = new ExchangeCore(server, wire);
        wire.serves(exchange);
        stream.owner(wire);
        server.start(exchange);
        if (++requests == server.settings.maxRequestsPerConnection) frames.drain();
    }

    private @Nullable Refusal check(ServerStream stream) {
        if (stream.headBytes() > server.settings.maxHeaderBytes)
            return new Refusal(431, "the head of the request is too large");
        boolean opensSocket = Http2Wire.opensSocket(stream);
        if (stream.method().equals("CONNECT") && !opensSocket)
            return new Refusal(501, "over HTTP/2 this server is no proxy, and knows WebSocket alone");
        if (!stream.fields().has(HttpHeader.HOST)) return new Refusal(400, "no host");
        if (stream.hasTwoHosts()) return new Refusal(400, "two hosts");
        return HeadRules.check(opensSocket ? "GET" : stream.method(), stream.target(), false, stream.fields());
    }

    private void refuse(ServerStream stream, Refusal refusal) {
        byte[] text = (refusal.text() + "\n").getBytes(StandardCharsets.UTF_8);
        // this runs where all streams are read, so it can't wait for a window of one
        int length = stream.hasWindow(text.length) ? text.length : 0;
        int sent = stream.method().equals("HEAD") ? 0 : length;
        var fields = new Fields();
        fields.add(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        fields.add(HttpHeader.CONTENT_LENGTH, Integer.toString(length));
        fields.add(HttpHeader.DATE, Dates.now());
        server.counters.malformed++;
        server.answered(refusal.status());
        server.served(() -> Served.refused(
                connection.peer, stream.method(), stream.target(), Http2Wire.PROTOCOL, refusal.status(), sent));
        try {
            stream.head(refusal.status(), fields, ByteBuffer.wrap(text, 0, sent), true);
        } catch (InputOutputException e) {
            // it does not read, or has gone
        }
        stream.finished();
    }

    /** Called when a request and its response are over. */
    void over(ServerStream stream) {
        stream.finished();
        if (!frames.isIdle()) return;
        idleSince = now();
        changes.wake();
        if (frames.isEnding()) finish();
        else connection.idle(idleSince);
    }
}
