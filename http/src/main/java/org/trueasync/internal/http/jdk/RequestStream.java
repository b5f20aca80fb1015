package org.trueasync.internal.http.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The body of a request. One thread at a time. */
final class RequestStream extends InputStream {
    private static final int AHEAD = 8 * 1024;

    private final LoopExchange exchange;
    /** What was read ahead for another thread than the loop's, as each of its calls to the loop takes long. */
    private ByteBuffer ahead = ByteBuffer.allocate(0);

    private volatile boolean closed;

    RequestStream(LoopExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (closed) throw new IOException("the stream of the request's body was closed");
        if (length == 0) return 0;
        if (!ahead.hasRemaining()) {
            if (length >= AHEAD || exchange.isOnLoop()) return take(into, offset, length);
            if (ahead.capacity() == 0) ahead = ByteBuffer.allocate(AHEAD);
            int count = take(ahead.array(), 0, AHEAD);
            ahead.position(0).limit(Math.max(count, 0));
            if (count < 0) return -1;
        }
        int count = Math.min(length, ahead.remaining());
        ahead.get(into, offset, count);
        return count;
    }

    private int take(byte[] into, int offset, int length) throws IOException {
        return exchange.onLoop(() -> {
            ByteBuffer part = exchange.core().request().body();
            if (part == null) return -1;
            int count = Math.min(length, part.remaining());
            part.get(into, offset, count);
            return count;
        });
    }

    @Override
    public int available() {
        return closed ? 0 : ahead.remaining();
    }

    /** What has not been read is dropped when the exchange ends. */
    @Override
    public void close() {
        closed = true;
    }
}
