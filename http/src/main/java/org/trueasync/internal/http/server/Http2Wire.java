package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.h2.H2Stream;
import org.trueasync.internal.http.h2.ServerStream;
import org.trueasync.internal.http.message.Dates;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;

/** A request that came as a stream of HTTP/2, and its response. */
final class Http2Wire implements Wire, H2Stream.Owner {
    static final String PROTOCOL = "HTTP/2";

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Http2Session session;
    private final Connection connection;
    private final ServerStream stream;
    private @Nullable ExchangeCore exchange;
    private long received;
    private ByteBuffer content = NONE;
    /** Null unless it became a WebSocket. */
    private @Nullable SocketBytes socket;

    Http2Wire(Http2Session session, Connection connection, ServerStream stream) {
        this.session = session;
        this.connection = connection;
        this.stream = stream;
    }

    void serves(ExchangeCore core) {
        exchange = core;
    }

    ExchangeCore exchange() {
        return Objects.requireNonNull(exchange);
    }

    @Override
    public void lost(String why) {
        exchange().abandoned(why);
    }

    // ---- the request

    @Override
    public String method() {
        // as over HTTP/1, so that routes know no difference
        return asksForTunnel() ? "GET" : stream.method();
    }

    @Override
    public String target() {
        return stream.target();
    }

    @Override
    public Fields fields() {
        return stream.fields();
    }

    @Override
    public String protocol() {
        return PROTOCOL;
    }

    @Override
    public boolean hasBody() {
        return stream.hasBody() && !asksForTunnel();
    }

    @Override
    public boolean ownsInput() {
        return false;
    }

    @Override
    public long contentLength() {
        return stream.contentLength();
    }

    @Override
    public long received() {
        return received;
    }

    @Override
    public boolean isBodyComplete() {
        return stream.isBodyRead();
    }

    @Override
    public boolean readBody(boolean invites) {
        if (content.hasRemaining()) return true;
        if (invites && stream.waitsToBeInvited()) stream.invite();
        long nanos = connection.server.settings.bodyNanos;
        ByteBuffer next;
        try {
            next = stream.body(nanos);
        } catch (OperationCanceledException e) {
            connection.server.counters.bodyTimeouts++;
            throw new BodyTimeout(Duration.ofNanos(nanos));
        }
        if (next == null) return false;
        content = next;
        received += next.remaining();
        return true;
    }

    @Override
    public ByteBuffer content() {
        return content;
    }

    @Override
    public @Nullable Refusal refusal() {
        return null; // what breaks the protocol ends the stream
    }

    @Override
    public @Nullable Fields trailers() {
        return stream.trailers();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    // ---- the response

    @Override
    public void respond(int status, Fields fields, long length, ByteBuffer body) {
        stream.head(status, head(fields, length), body, true);
    }

    @Override
    public boolean isUntouched() {
        return false;
    }

    @Override
    public void begin(int status, Fields fields, long length, boolean bare, ByteBuffer part) {
        stream.head(status, head(fields, length), part, bare);
    }

    private static Fields head(Fields fields, long length) {
        var head = new Fields(fields.size() + 2);
        for (HttpField field : fields) {
            HttpHeader header = field.getHeader();
            // of the connection, which is the streams' own here (RFC 9113, 8.2.2)
            boolean isOfConnection = header == HttpHeader.CONNECTION
                    || header == HttpHeader.KEEP_ALIVE
                    || header == HttpHeader.UPGRADE
                    || header == HttpHeader.PROXY_CONNECTION;
            if (!isOfConnection && header != HttpHeader.CONTENT_LENGTH) head.add(field);
        }
        if (length >= 0) head.add(HttpHeader.CONTENT_LENGTH, Long.toString(length));
        if (!head.has(HttpHeader.DATE)) head.add(HttpHeader.DATE, Dates.now());
        return head;
    }

    @Override
    public void write(ByteBuffer part) {
        stream.write(part, false);
    }

    @Override
    public void duplex() {
        stream.duplex();
    }

    @Override
    public boolean isWritable() {
        return stream.isWritable();
    }

    @Override
    public void awaitWritable() {
        stream.awaitWritable();
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public long write(AsyncFile file, long position, long count) {
        throw new UnsupportedOperationException("a stream of HTTP/2 has frames");
    }

    @Override
    public void end(@Nullable Fields trailers) {
        if (trailers == null || trailers.size() == 0) stream.write(NONE.duplicate(), true);
        else stream.trailers(trailers);
    }

    @Override
    public boolean asksForTunnel() {
        return opensSocket(stream);
    }

    static boolean opensSocket(ServerStream stream) {
        return "websocket".equalsIgnoreCase(stream.protocol());
    }

    @Override
    public SocketBytes openSocket(Fields fields) {
        stream.head(200, head(fields, -1), NONE.duplicate(), false);
        socket = new StreamBytes(stream);
        return socket;
    }

    @Override
    public ByteStream takeOver(int status, Fields fields) {
        throw new IllegalStateException("the request does not ask for another protocol");
    }

    // ---- the end

    @Override
    public void closeAfterwards() {
        // other streams go on
    }

    @Override
    public boolean isKept() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed() || stream.isLost();
    }

    @Override
    public boolean isPeerGone() {
        return isClosed();
    }

    @Override
    public void abort() {
        stream.reset();
    }

    @Override
    public void over(boolean lost, boolean taken) {
        if (lost) abort();
        else if (socket != null) socket.close();
        session.over(stream);
    }
}
