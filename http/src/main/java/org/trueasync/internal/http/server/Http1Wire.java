package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;

/** One request of a connection of HTTP/1, and its response (RFC 9112). */
final class Http1Wire implements Wire {
    /** Up to this size a body is copied behind its head, and both are one write. */
    static final int COPIED = 16 * 1024;

    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Connection connection;
    private final ServerCore server;
    private final RequestParser parser;
    private final BodyInput body;
    private final String method;
    private final String target;
    private final boolean http10;
    private final Fields fields;
    private final boolean hasBody;
    private final boolean ownsInput;
    private final boolean closedByPeer;
    private boolean expectsContinue;
    private boolean keepsAlive;
    private boolean chunked;
    private boolean untouched;

    Http1Wire(Connection connection, RequestParser parser, BodyInput body, boolean mayKeep) {
        this.connection = connection;
        this.server = connection.server;
        this.parser = parser;
        this.body = body;
        this.method = parser.method();
        this.target = parser.target();
        this.http10 = parser.isHttp10();
        this.fields = parser.fields();
        this.hasBody = !parser.isComplete() || parser.content().hasRemaining();
        this.ownsInput = hasBody || parser.asksForUpgrade();
        this.expectsContinue = !http10 && hasBody && !parser.content().hasRemaining() && fields.has(HttpHeader.EXPECT);
        this.closedByPeer = fields.has(HttpHeader.CONNECTION, "close")
                || (http10 && !fields.has(HttpHeader.CONNECTION, "keep-alive"));
        this.keepsAlive = mayKeep && !closedByPeer;
    }

    // ---- the request

    @Override
    public String method() {
        return method;
    }

    @Override
    public String target() {
        return target;
    }

    @Override
    public Fields fields() {
        return fields;
    }

    @Override
    public String protocol() {
        return http10 ? "HTTP/1.0" : "HTTP/1.1";
    }

    @Override
    public boolean hasBody() {
        return hasBody;
    }

    @Override
    public boolean ownsInput() {
        return ownsInput;
    }

    @Override
    public long contentLength() {
        return parser.contentLength();
    }

    @Override
    public long received() {
        return parser.received();
    }

    @Override
    public boolean isBodyComplete() {
        return parser.isComplete();
    }

    @Override
    public boolean readBody(boolean invites) {
        if (invites && expectsContinue && !parser.content().hasRemaining()) {
            expectsContinue = false;
            connection.output.write(ByteBuffer.wrap(CONTINUE));
        }
        return body.read();
    }

    @Override
    public ByteBuffer content() {
        return parser.content();
    }

    @Override
    public @Nullable Refusal refusal() {
        return parser.refusal();
    }

    @Override
    public @Nullable Fields trailers() {
        return parser.isComplete() ? parser.trailers() : null;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    // ---- the response

    @Override
    public void respond(int status, Fields response, long length, ByteBuffer body) {
        HeadWriter head = server.takeWriter();
        head(head, status, response);
        if (length >= 0) head.length(length);
        head.endLine();
        boolean copies = body.remaining() <= COPIED;
        if (copies) head.put(body);
        ByteBuffer first = head.buffer();
        untouched = false;
        try {
            if (copies) connection.output.write(first);
            else connection.output.write(first, body);
        } catch (AsyncCancellation e) {
            untouched = first.position() == 0 && !connection.isClosed();
            throw e;
        }
        server.giveWriter(head); // after an error it may still be written
    }

    @Override
    public boolean isUntouched() {
        return untouched;
    }

    @Override
    public void begin(int status, Fields response, long length, boolean bare, ByteBuffer part) {
        if (!bare && length < 0) {
            chunked = !http10;
            if (http10) keepsAlive = false;
        }
        HeadWriter head = server.takeWriter();
        head(head, status, response);
        if (length >= 0) head.length(length);
        else if (chunked) head.chunked();
        head.endLine();
        send(head, part);
    }

    @Override
    public void write(ByteBuffer part) {
        if (!part.hasRemaining()) return;
        send(server.takeWriter(), part);
    }

    /** A chunk goes with the line that ends it: there are clients that hand it on only then. */
    private void send(HeadWriter before, ByteBuffer part) {
        boolean isChunk = chunked && part.hasRemaining();
        if (isChunk) before.chunkSize(part.remaining());
        if (part.remaining() <= COPIED) {
            before.put(part);
            if (isChunk) before.endLine();
            connection.output.write(before.buffer());
        } else if (isChunk)
            connection.output.write(
                    before.buffer(), part, new HeadWriter(2).endLine().buffer());
        else if (before.size() > 0) connection.output.write(before.buffer(), part);
        else connection.output.write(part);
        server.giveWriter(before); // after an error it may still be written
    }

    private void head(HeadWriter head, int status, Fields response) {
        if (connection.isDraining() || mayLeaveBody()) keepsAlive = false;
        head.status(status);
        boolean date = false;
        for (int i = 0; i < response.size(); i++) {
            HttpField field = response.at(i);
            if (field.getHeader() == HttpHeader.DATE) date = true;
            else if (field.getHeader() == HttpHeader.CONTENT_LENGTH) continue;
            else if (field.getHeader() == HttpHeader.CONNECTION && field.contains("close")) {
                keepsAlive = false;
                continue;
            }
            head.field(field);
        }
        if (!date) head.date();
        if (!keepsAlive) head.close();
        else if (http10) head.keepAlive();
    }

    /** True if so much of the request's body may be unread at its end that the connection can't be kept. */
    private boolean mayLeaveBody() {
        return hasBody
                && !parser.isComplete()
                && (expectsContinue || parser.contentLength() - parser.received() > BodyInput.MAX_DISCARDED);
    }

    @Override
    public void duplex() {
        throw new IllegalStateException("a duplex exchange needs HTTP/2");
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void awaitWritable() {
        // each write waits for the system
    }

    @Override
    public boolean isPlain() {
        return !chunked;
    }

    @Override
    public long write(AsyncFile file, long position, long count) {
        return connection.output.write(file, position, count);
    }

    @Override
    public void end(@Nullable Fields trailers) {
        if (!chunked) return;
        HeadWriter last = server.takeWriter();
        last.text("0").endLine();
        if (trailers != null) for (HttpField field : trailers) last.field(field);
        connection.output.write(last.endLine().buffer());
        server.giveWriter(last); // after an error it may still be written
    }

    @Override
    public boolean asksForTunnel() {
        return method().equals("CONNECT");
    }

    @Override
    public SocketBytes openSocket(Fields response) {
        return SocketBytes.of(takeOver(101, response));
    }

    @Override
    public ByteStream takeOver(int status, Fields response) {
        keepsAlive = false;
        HeadWriter head = new HeadWriter(512).status(status);
        for (int i = 0; i < response.size(); i++) head.field(response.at(i));
        if (status != 101) head.date();
        connection.output.write(head.endLine().buffer());
        return new TakenStream(connection, connection.takeOver());
    }

    // ---- the end

    @Override
    public void closeAfterwards() {
        keepsAlive = false;
    }

    @Override
    public boolean isKept() {
        return keepsAlive;
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public boolean isPeerGone() {
        return connection.isPeerGone();
    }

    @Override
    public void abort() {
        keepsAlive = false;
        connection.close();
    }

    @Override
    public void over(boolean lost, boolean taken) {
        if (lost) connection.close();
        else if (keepsAlive && !taken) connection.responded();
        else connection.ending(closedByPeer);
        if (connection.isClosed()) parser.release();
    }
}
