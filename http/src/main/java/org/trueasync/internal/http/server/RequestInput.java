package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The body of a request as a stream. */
public final class RequestInput extends InputStream {
    private final RequestCore request;
    private boolean closed;

    public RequestInput(RequestCore request) {
        this.request = request;
    }

    /** Reads the rest of the body. */
    public static byte[] all(RequestCore request) {
        long length = request.contentLength();
        if (length == 0) return new byte[0];
        if (request.decodesBody()) {
            try (InputStream decoded = request.input()) {
                return decoded.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        byte[] all = new byte[Math.clamp(length, 512, 1 << 20)];
        int size = 0;
        ByteBuffer part;
        while ((part = request.body()) != null) {
            int count = part.remaining();
            if (size + count > all.length)
                all = Arrays.copyOf(all, Math.max(2 * all.length, Math.addExact(size, count)));
            part.get(all, size, count);
            size += count;
        }
        return size == all.length ? all : Arrays.copyOf(all, size);
    }

    @Override
    public int read() throws IOException {
        ByteBuffer part = next();
        return part == null ? -1 : part.get() & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) return 0;
        ByteBuffer part = next();
        if (part == null) return -1;
        int count = Math.min(length, part.remaining());
        part.get(into, offset, count);
        return count;
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        requireOpen();
        return all(request);
    }

    /** Without a copy in between. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
        requireOpen();
        return request.bodyTo(out);
    }

    private @Nullable ByteBuffer next() throws IOException {
        requireOpen();
        return request.body();
    }

    private void requireOpen() throws IOException {
        if (closed) throw new IOException("the stream of the request's body was closed");
    }

    @Override
    public void close() {
        closed = true;
    }
}
