package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.trueasync.AsyncCancellation;
import org.trueasync.InputOutputException;

/**
 * The body of a response as a stream, which joins small writes. Whoever sends has the response's turn, so
 * that others and the end wait behind it: what is collected does not change meanwhile.
 */
public final class ResponseOutput extends OutputStream {
    private static final int MOST = 32 * 1024;

    private final ResponseCore response;
    private byte[] collected = new byte[512];
    private int size;
    private boolean closed;
    private boolean broken;

    public ResponseOutput(ResponseCore response) {
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        if (!closed && size < collected.length && !response.isLocked()) collected[size++] = (byte) b;
        else write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        requireOpen();
        Objects.checkFromIndexSize(offset, length, from.length);
        if (size + length <= MOST && !response.isLocked()) collect(from, offset, length);
        else response.locked(() -> writeAlone(from, offset, length));
    }

    private void writeAlone(byte[] from, int offset, int length) throws IOException {
        requireOpen();
        if (size + length > MOST) sendAlone();
        if (length >= MOST) put(from, offset, length);
        else collect(from, offset, length);
    }

    private void collect(byte[] from, int offset, int length) {
        if (size + length > collected.length)
            collected = Arrays.copyOf(collected, Math.min(MOST, Math.max(2 * collected.length, size + length)));
        System.arraycopy(from, offset, collected, size, length);
        size += length;
    }

    /** Sends what has been collected. */
    public void send() {
        if (size > 0) response.locked(this::sendAlone);
    }

    private void sendAlone() {
        int length = size;
        size = 0;
        if (length > 0) put(collected, 0, length);
    }

    private void put(byte[] from, int offset, int length) {
        try {
            response.put(ByteBuffer.wrap(from, offset, length));
        } catch (InputOutputException | AsyncCancellation e) {
            broken = true;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        if (size > 0 || response.isLocked()) response.locked(this::sendAlone);
        else response.flush();
    }

    @Override
    public void close() {
        if (closed) return;
        if (response.isCommitted() || response.isLocked()) {
            response.locked(this::closeAlone);
            return;
        }
        closed = true;
        int length = size;
        size = 0;
        response.respond(ByteBuffer.wrap(collected, 0, length));
    }

    private void closeAlone() {
        if (closed) return;
        closed = true;
        if (broken) return; // the writer knows; a second error would hide that it was cancelled
        sendAlone();
        response.complete();
    }

    private void requireOpen() throws IOException {
        if (closed) throw new IOException("the stream of the response's body was closed");
    }
}
