package org.trueasync.internal.http.jdk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.server.ExchangeCore;

/**
 * The body of a response. Small writes are joined, and the head goes with the first of them: to reach the loop takes
 * long from another thread, and a packet for each takes long from everywhere. One thread at a time.
 */
final class ResponseStream extends OutputStream {
    private static final int MOST = 32 * 1024;
    private static final byte[] NONE = {};

    private final LoopExchange exchange;
    private int status;
    private @Nullable List<HttpField> fields;
    /** How many bytes are still to come; -1 for any number. */
    private long left;

    private long length;
    private byte[] collected = NONE;
    private int size;
    private boolean headSent;
    /** All bytes that were announced have been sent. */
    private boolean complete;

    private volatile boolean closed;

    ResponseStream(LoopExchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Sets the head, which goes with the first bytes.
     *
     * @param length of the body; -1 for any
     */
    void begin(int status, List<HttpField> fields, long length) {
        this.status = status;
        this.fields = fields;
        this.length = length;
        this.left = length;
    }

    boolean hasHead() {
        return fields != null;
    }

    /** Nothing may be written any more. */
    void end() {
        closed = true;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        // a program that treats HEAD as GET writes a body, which is not sent
        if (hasHead() && exchange.isHead()) return;
        requireOpen();
        if (count == 0) return;
        if (left >= 0 && count > left) {
            fail();
            throw new IOException("the response was announced with " + length + " bytes, so " + count
                    + " bytes more after " + (length - left) + " are too many");
        }
        if (left > 0) left -= count;
        if (count < MOST) {
            if (size + count > MOST) send(collected, 0, size, false);
            if (size + count > collected.length) grow(size + count);
            System.arraycopy(from, offset, collected, size, count);
            size += count;
            if (left == 0) send(collected, 0, size, true);
            return;
        }
        if (size > 0) send(collected, 0, size, false);
        send(from, offset, count, left == 0);
    }

    private void grow(int wanted) {
        long announced = left < 0 ? 512 : left + wanted;
        collected = Arrays.copyOf(
                collected, (int) Math.min(MOST, Math.max(Math.max(2L * collected.length, wanted), announced)));
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        if (!complete && (size > 0 || !headSent)) send(collected, 0, size, false);
    }

    @Override
    public void close() throws IOException {
        if (closed) return;
        if (!hasHead()) requireOpen();
        if (left > 0) {
            fail();
            throw new IOException("the response was announced with " + length + " bytes, and only " + (length - left)
                    + " were written");
        }
        if (!complete) send(collected, 0, size, true);
        closed = true;
        exchange.terminate();
    }

    private void fail() {
        closed = true;
        exchange.abort();
    }

    private void requireOpen() throws IOException {
        if (!hasHead()) throw new IOException("the response headers have not been sent yet: sendResponseHeaders first");
        if (closed) throw new IOException("the stream of the response's body was closed");
    }

    /**
     * Sends bytes, behind the head if that has not been sent.
     *
     * @param last true for the last ones
     */
    private void send(byte[] from, int offset, int count, boolean last) throws IOException {
        size = 0;
        try {
            exchange.onLoop(() -> {
                sendHere(ByteBuffer.wrap(from, offset, count), last);
                return null;
            });
        } catch (IOException | RuntimeException | Error e) {
            closed = true;
            exchange.terminate();
            throw e;
        }
        complete = last;
        if (last) exchange.responded();
    }

    private void sendHere(ByteBuffer bytes, boolean last) {
        ExchangeCore core = exchange.core();
        if (!headSent) {
            headSent = true;
            core.response().status(status);
            if (fields != null)
                for (HttpField field : fields) core.response().fields().add(field);
            boolean whole = last && length >= 0 && !exchange.isHead();
            if (whole) {
                core.response().respond(bytes);
                return;
            }
            if (length > 0) core.response().fields().add(HttpHeader.CONTENT_LENGTH, Long.toString(length));
        }
        if (bytes.hasRemaining()) core.response().write(bytes);
        else core.response().flush();
        if (last) core.response().end();
    }
}
