package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.FutureState;
import org.trueasync.internal.http.h2.H2Connection;
import org.trueasync.internal.http.h2.H2Limits;
import org.trueasync.internal.http.h2.H2Link;
import org.trueasync.internal.http.h2.H2Stream;
import org.trueasync.internal.http.message.Fields;

/** HTTP/2 on a connection: each stream is a request, and many are handled at a time. */
final class Http2Session implements H2Link {
    private static final int STREAMS = 128;
    private static final int STREAM_WINDOW = 256 * 1024;
    private static final int CONNECTION_WINDOW = 1024 * 1024;
    private static final int FREE_EVENTS = 200;
    static final int READ_BYTES = 16 * 1024;

    private final Connection connection;
    private final ServerCore server;
    private final H2Connection frames;
    private long requests;
    private int running;
    private @Nullable FutureState<Object> idle;

    Http2Session(Connection connection) {
        this.connection = connection;
        this.server = connection.server;
        long nanos = server.settings.writeNanos;
        this.frames = new H2Connection(
                this,
                new H2Limits(
                        server.settings.maxHeaderBytes,
                        STREAMS,
                        STREAM_WINDOW,
                        CONNECTION_WINDOW,
                        FREE_EVENTS,
                        nanos == 0 ? null : Duration.ofNanos(nanos)));
    }

    /**
     * Serves the connection to its end; in its coroutine.
     *
     * @param in its first bytes
     */
    void run(ByteBuffer in) {
        try {
            frames.run(in);
        } finally {
            Async.protect(this::awaitEnd);
        }
    }

    private void awaitEnd() {
        while (running > 0) {
            if (idle == null) idle = new FutureState<>().ignore();
            Async.await(idle.future());
        }
    }

    /** Tells the peer that no more requests are taken. */
    void drain() {
        frames.drain();
        if (running == 0) connection.close();
    }

    @Override
    public int read(ByteBuffer into) {
        return connection.readInto(into);
    }

    @Override
    public void write(ByteBuffer bytes) {
        connection.write(bytes);
    }

    @Override
    public void begin(H2Stream stream) {
        Refusal refusal = HeadRules.check(stream.method(), stream.target(), false, stream.fields());
        if (refusal != null) {
            server.counters.malformed++;
            server.answered(refusal.status());
            refuse(stream, refusal);
            return;
        }
        if (++requests == server.settings.maxRequestsPerConnection) frames.drain();
        connection.handling();
        running++;
        var exchange = new ExchangeCore(server, new Http2Wire(this, connection, stream));
        stream.onLoss = why -> exchange.abandoned(why);
        server.start(exchange);
    }

    private static void refuse(H2Stream stream, Refusal refusal) {
        byte[] text = (refusal.text() + "\n").getBytes(StandardCharsets.UTF_8);
        var fields = new Fields();
        fields.add(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        fields.add(HttpHeader.CONTENT_LENGTH, Integer.toString(text.length));
        stream.head(refusal.status(), fields, ByteBuffer.wrap(text), true);
        stream.finished();
    }

    /** Called when a request and its response are over. */
    void over(H2Stream stream) {
        stream.finished();
        if (--running > 0) return;
        if (idle != null) idle.complete(this);
        idle = null;
        if (frames.isEnding()) connection.close();
        else connection.responded();
    }
}
