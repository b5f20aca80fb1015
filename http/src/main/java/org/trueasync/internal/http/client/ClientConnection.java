package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.io.ByteStream;

/** A connection of HTTP/1 to an origin, straight or through a proxy. */
final class ClientConnection extends ClientWire {
    /** A record of TLS is decrypted into the buffer without a copy. */
    private static final int READ_BYTES = 17 * 1024;

    private static final int WRITE_BYTES = 1024;
    private static final int LARGEST_KEPT = 128 * 1024;
    /** How much of an unread body is read, so that the connection can be kept. */
    private static final int MAX_DISCARDED = 64 * 1024;

    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

    private final ClientSettings settings;
    private final Origin origin;
    private @Nullable ByteStream stream;
    private ResponseParser parser;
    private boolean absolute;
    private ByteBuffer in = ByteBuffer.allocate(READ_BYTES).limit(0);
    private HeadWriter out = new HeadWriter(WRITE_BYTES);
    private @Nullable Timeout readLimit;
    private @Nullable Timeout writeLimit;
    private boolean ended;
    private boolean begun;
    private int headBytes;
    private long sent;
    private boolean chunked;
    private boolean asksToClose;
    /** True if no body follows the head, whatever that says. */
    private boolean withoutBody;
    /** True if an exchange has used it before. */
    private boolean isUsed;

    ClientConnection(ClientSettings settings, Origin origin) {
        this.settings = settings;
        this.origin = origin;
        this.parser = new ResponseParser(settings.maxHeaderBytes);
    }

    /** Makes one that is connected. */
    ClientConnection(ClientSettings settings, Origin origin, ByteStream stream) {
        this(settings, origin);
        this.stream = stream;
    }

    @Override
    void open() {
        close();
        parser = new ResponseParser(settings.maxHeaderBytes);
        in = in.clear().limit(0);
        ended = false;
        isUsed = false;
        Dialer dialer = new Dialer(settings, origin, true, false);
        stream = dialer.connect(open -> open);
        absolute = dialer.isAbsolute();
    }

    @Override
    String protocol() {
        return "HTTP/1.1";
    }

    // ---- an exchange

    @Override
    void begin(ClientRequest request, byte @Nullable [] small) {
        begun = false;
        withoutBody = request.isHead();
        chunked = request.body.length < 0;
        asksToClose = request.asksToClose();
        nextHead();
        request.writeHead(out.clear(), absolute, settings.proxyAuthorization, settings.gzip);
        if (small != null) write(out.put(small).buffer());
    }

    private void nextHead() {
        headBytes = 0;
        parser.next(withoutBody);
    }

    @Override
    int readHead(boolean sending) {
        if (parser.isHeadComplete()) nextHead();
        while (!parser.isHeadComplete()) {
            advance(sending);
            if (parser.fault() != null) throw malformed(parser.fault());
            if (parser.isHeadComplete()) break;
            // the parser does not count empty lines before it
            if (headBytes > settings.maxHeaderBytes + READ_BYTES)
                throw malformed("its head has more than " + settings.maxHeaderBytes + " bytes (maxHeaderBytes)");
            if (ended)
                throw new InputOutputException(
                        begun
                                ? "the server has closed the connection in the middle of the head"
                                : "the server has closed the connection before it answered",
                        "ECONNRESET");
        }
        if (parser.status() == 101) throw malformed("it changes to another protocol, for which nobody has asked");
        if (parser.status() < 200) return parser.status();
        if (!parser.isComplete() && !parser.content().hasRemaining()) parser.parse(in);
        if (parser.fault() != null) throw malformed(parser.fault());
        return parser.status();
    }

    @Override
    boolean hasBegunResponse() {
        return begun;
    }

    @Override
    boolean mayHaveBeenStale() {
        return isUsed && !begun;
    }

    @Override
    Fields fields() {
        return parser.fields();
    }

    @Override
    long contentLength() {
        return parser.contentLength();
    }

    @Override
    @Nullable
    ByteBuffer body(boolean sending) {
        while (!parser.content().hasRemaining() && !parser.isComplete()) {
            advance(sending);
            if (parser.fault() != null) throw malformed(parser.fault());
        }
        return parser.content().hasRemaining() ? parser.content() : null;
    }

    @Override
    boolean isComplete() {
        return parser.isComplete() && !parser.content().hasRemaining();
    }

    @Override
    @Nullable
    Fields trailers() {
        return parser.trailers();
    }

    @Override
    boolean discard() {
        int discarded = 0;
        while (true) {
            discarded += parser.content().remaining();
            parser.content().position(parser.content().limit());
            if (parser.isComplete()) return true;
            if (discarded > MAX_DISCARDED || !tryAdvance() || parser.fault() != null) return false;
        }
    }

    @Override
    boolean end(boolean sentAll) {
        return sentAll && parser.keepsAlive() && !asksToClose && !in.hasRemaining();
    }

    // ---- reading

    /**
     * Reads and parses the next bytes, after those that are there; waits for them.
     *
     * @param sending true while a body is being written: then its progress counts too
     * @throws InputOutputException if none come in time, or the connection is broken
     */
    private void advance(boolean sending) {
        boolean hadHead = parser.isHeadComplete();
        if (in.hasRemaining() || hadHead) parser.parse(in);
        if (parser.hasNews() || parser.isHeadComplete() != hadHead) return;
        if (hadHead) headBytes = 0;
        if (ended || read(sending) < 0) {
            ended = true;
            parser.end();
        } else parser.parse(in);
    }

    /** As {@link #advance}, in a body, but does not wait; returns false if there was nothing. */
    private boolean tryAdvance() {
        parser.parse(in);
        if (parser.hasNews()) return true;
        if (!in.hasRemaining()) {
            in.clear();
            int count = 0;
            try {
                count = stream().tryRead(in);
            } finally {
                in.flip();
            }
            if (count <= 0) return false;
        }
        parser.parse(in);
        return true;
    }

    private int read(boolean sending) {
        while (true) {
            long before = sent;
            in.clear();
            try {
                Timeout limit = readLimit();
                return limit == null ? stream().read(in) : stream().read(in, limit);
            } catch (OperationCanceledException e) {
                Timeout limit = readLimit;
                if (limit == null || !limit.isCompleted()) throw e;
                readLimit = null;
                if (!sending || sent == before) throw tooSlow("sent no byte");
            } finally {
                in.flip();
                begun |= in.hasRemaining();
                headBytes += in.remaining();
            }
        }
    }

    private @Nullable Timeout readLimit() {
        if (readLimit == null) readLimit = limit();
        return readLimit;
    }

    private @Nullable Timeout limit() {
        return settings.readTimeout.isZero() ? null : Async.timeout(settings.readTimeout);
    }

    private InputOutputException tooSlow(String what) {
        Duration time = settings.readTimeout;
        return new InputOutputException(
                "the server has " + what + " for " + time.toMillis() + " ms (readTimeout)", "ETIMEDOUT");
    }

    // ---- writing

    @Override
    void sendHead() {
        write(out.buffer());
    }

    @Override
    void sendPart(byte[] from, int offset, int length) {
        if (chunked)
            write(out.clear()
                    .chunkSize(length)
                    .put(from, offset, length)
                    .endLine()
                    .buffer());
        else write(ByteBuffer.wrap(from, offset, length));
    }

    @Override
    void endBody() {
        if (chunked) write(ByteBuffer.wrap(LAST_CHUNK));
    }

    @Override
    void cutBody(boolean stopped) {
        close();
    }

    /**
     * Writes.
     *
     * @throws InputOutputException if the peer does not take it in time, or the connection is broken
     */
    private void write(ByteBuffer bytes) {
        long count = bytes.remaining();
        if (writeLimit == null) writeLimit = limit();
        Timeout limit = writeLimit;
        try {
            if (limit == null) stream().write(bytes);
            else stream().write(bytes, limit);
        } catch (OperationCanceledException e) {
            if (limit == null || !limit.isCompleted()) throw e;
            writeLimit = null;
            throw tooSlow("taken no byte");
        }
        sent += count;
    }

    private ByteStream stream() {
        return Objects.requireNonNull(stream);
    }

    // ---- between exchanges

    @Override
    void rest(long now) {
        super.rest(now);
        isUsed = true;
        if (out.size() > LARGEST_KEPT) out = new HeadWriter(WRITE_BYTES);
    }

    /** The server has said nothing. */
    @Override
    boolean isGood(long now) {
        ByteStream open = stream;
        if (open == null || open.isClosed() || ended) return false;
        try {
            return open.tryRead(in.clear()) == 0;
        } catch (InputOutputException e) {
            return false;
        } finally {
            in.limit(0);
        }
    }

    boolean isClosed() {
        ByteStream open = stream;
        return open == null || open.isClosed();
    }

    @Override
    void close() {
        if (stream != null) stream.close();
    }

    @Override
    public String toString() {
        return "HTTP connection to " + origin;
    }
}
