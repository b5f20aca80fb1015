package org.trueasync.internal.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;

/** The body of a response as a stream. Its close ends the exchange. */
public final class ResponseInput extends InputStream {
    private final ClientExchange exchange;
    private final boolean gzip;
    private @Nullable InputStream decoded;
    private boolean closed;

    /**
     * Makes it.
     *
     * @param gzip true to decode the body
     */
    public ResponseInput(ClientExchange exchange, boolean gzip) {
        this.exchange = exchange;
        this.gzip = gzip;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (closed) throw new IOException("the stream of the response's body was closed");
        if (length == 0) return 0;
        return gzip ? readDecoded(into, offset, length) : readRaw(into, offset, length);
    }

    private int readRaw(byte[] into, int offset, int length) throws IOException {
        ByteBuffer part = next();
        if (part == null) return -1;
        int count = Math.min(length, part.remaining());
        part.get(into, offset, count);
        return count;
    }

    private @Nullable ByteBuffer next() throws IOException {
        try {
            return exchange.body();
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private int readDecoded(byte[] into, int offset, int length) throws IOException {
        if (decoded == null) {
            // a response that has no body is not encoded
            if (next() == null) return -1;
            decoded = new GZIPInputStream(new Raw(), 8 * 1024);
        }
        int count = decoded.read(into, offset, length);
        // the connection is kept only if the body is read to its end, which may be behind that of the encoding
        if (count < 0 && next() != null) exchange.close();
        return count;
    }

    @Override
    public void close() {
        closed = true;
        exchange.close();
    }

    /** What is decoded. */
    private final class Raw extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return readRaw(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return readRaw(into, offset, length);
        }
    }
}
