package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.io.ByteStream;

/**
 * A connection to an origin, straight or through a proxy: a resource of the origin's pool. It is for one exchange at a
 * time, whose caller reads while its sender may write.
 */
final class ClientConnection {
    /** A record of TLS is decrypted into the buffer without a copy. */
    private static final int READ_BYTES = 17 * 1024;

    private static final int WRITE_BYTES = 1024;
    private static final int LARGEST_KEPT = 128 * 1024;

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
    /** When it was given back last. */
    private long idleSince;

    /** True if an exchange has used it before. */
    boolean isUsed;
    /** True if its last exchange has failed, by the peer's fault. */
    boolean hasFailed;

    ClientConnection(ClientSettings settings, Origin origin) {
        this.settings = settings;
        this.origin = origin;
        this.parser = new ResponseParser(settings.maxHeaderBytes);
    }

    /** Connects, also again, in place of a connection that is of no use any more. */
    void open() {
        close();
        parser = new ResponseParser(settings.maxHeaderBytes);
        in = in.clear().limit(0);
        ended = false;
        isUsed = false;
        Dialer dialer = new Dialer(settings, origin);
        stream = dialer.connect();
        absolute = dialer.isAbsolute();
    }

    ResponseParser parser() {
        return parser;
    }

    /** True if the target of a request names the origin, for the proxy. */
    boolean isAbsolute() {
        return absolute;
    }

    // ---- reading

    /** Makes it ready for the next response; {@code withoutBody} if none follows the head, whatever that says. */
    void begin(boolean withoutBody) {
        begun = false;
        nextHead(withoutBody);
    }

    /** Makes it ready for another head, after one that only says that the server is at work. */
    void nextHead(boolean withoutBody) {
        headBytes = 0;
        parser.next(withoutBody);
    }

    /** True if more bytes have come than a head may have; the parser does not count empty lines before it. */
    boolean isHeadTooLong() {
        return headBytes > settings.maxHeaderBytes + READ_BYTES;
    }

    /** True once a byte of the response has come. */
    boolean hasBegunResponse() {
        return begun;
    }

    /** Parses what has been read; also notices the end of a body without bytes. */
    void parseOn() {
        parser.parse(in);
    }

    /**
     * Reads and parses the next bytes, after those that are there; waits for them.
     *
     * @param sending true while a body is being written: then its progress counts too
     * @throws InputOutputException if none come in time, or the connection is broken
     */
    void advance(boolean sending) {
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
    boolean tryAdvance() {
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

    boolean hasEnded() {
        return ended;
    }

    boolean hasUnread() {
        return in.hasRemaining();
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

    /** Returns the empty buffer for what is written next. */
    HeadWriter out() {
        return out.clear();
    }

    /** Returns what is in {@link #out}. */
    ByteBuffer written() {
        return out.buffer();
    }

    /**
     * Writes.
     *
     * @throws InputOutputException if the peer does not take it in time, or the connection is broken
     */
    void write(ByteBuffer bytes) {
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

    /** Called before it is given back. */
    void rest(long now) {
        isUsed = true;
        idleSince = now;
        if (out.size() > LARGEST_KEPT) out = new HeadWriter(WRITE_BYTES);
    }

    /** True if another exchange may use it: it has not been idle for too long, and the server has said nothing. */
    boolean isFit(long now) {
        ByteStream open = stream;
        if (open == null || open.isClosed() || ended) return false;
        if (now - idleSince >= settings.keepAlive.toNanos()) return false;
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

    /** Closes it; who waits in it gets an error. */
    void close() {
        if (stream != null) stream.close();
    }

    @Override
    public String toString() {
        return "HTTP connection to " + origin;
    }
}
