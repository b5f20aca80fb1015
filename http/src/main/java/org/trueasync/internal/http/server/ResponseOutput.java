package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The body of a response as a stream, which joins small writes. While it sends, other coroutines may write: what they
 * write is collected apart.
 */
public final class ResponseOutput extends OutputStream {
    private static final int MOST = 32 * 1024;
    private static final byte[] NONE = {};

    private final ResponseCore response;
    private byte[] collected = new byte[512];
    private int size;
    private boolean closed;

    public ResponseOutput(ResponseCore response) {
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        requireOpen();
        room(1);
        collected[size++] = (byte) b;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        requireOpen();
        Objects.checkFromIndexSize(offset, length, from.length);
        if (length >= MOST) {
            send();
            response.write(ByteBuffer.wrap(from, offset, length));
            return;
        }
        room(length);
        System.arraycopy(from, offset, collected, size, length);
        size += length;
    }

    private void room(int length) {
        while (size + length > MOST) send();
        if (size + length > collected.length)
            collected = Arrays.copyOf(collected, Math.min(MOST, Math.max(2 * collected.length, size + length)));
    }

    /** Sends what has been collected. */
    public void send() {
        if (size == 0) return;
        byte[] sent = collected;
        int length = size;
        collected = NONE;
        size = 0;
        response.write(ByteBuffer.wrap(sent, 0, length));
        if (collected == NONE) collected = sent;
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        if (size > 0) send();
        else response.flush();
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        if (!response.isCommitted()) {
            int length = size;
            size = 0;
            response.respond(ByteBuffer.wrap(collected, 0, length));
            return;
        }
        send();
        response.end();
    }

    private void requireOpen() throws IOException {
        if (closed) throw new IOException("the stream of the response's body was closed");
    }
}
