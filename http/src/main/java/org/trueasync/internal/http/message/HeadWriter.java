package org.trueasync.internal.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Writes the bytes of heads and small bodies into one array, which grows as needed and is used again. */
public final class HeadWriter {
    private static final byte[][] STATUS_LINES = new byte[600][];
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] LENGTH = ascii("Content-Length: ");
    private static final byte[] DATE = ascii("Date: ");
    private static final byte[] CRLF = ascii("\r\n");

    private byte[] bytes;
    private int size;

    /**
     * Makes an empty one.
     *
     * @param room bytes, before it grows
     */
    public HeadWriter(int room) {
        bytes = new byte[room];
    }

    /** Forgets everything. */
    public HeadWriter clear() {
        size = 0;
        return this;
    }

    /** Returns what was written; valid until the next {@link #clear}. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** Returns how many bytes were written. */
    public int size() {
        return size;
    }

    /** Writes the first line of a response. */
    public HeadWriter status(int status) {
        byte[] line = status < STATUS_LINES.length ? STATUS_LINES[status] : null;
        if (line == null) {
            line = ascii("HTTP/1.1 " + status + ' ' + reason(status) + "\r\n");
            if (status < STATUS_LINES.length) STATUS_LINES[status] = line;
        }
        return put(line);
    }

    /** The text that RFC 9110 recommends for a status; empty for one that is not known. */
    public static String reason(int status) {
        if (status == 500) return "Internal Server Error";
        return HttpStatus.getCode(status) == null ? "" : HttpStatus.getMessage(status);
    }

    /** Writes a header field. */
    public HeadWriter field(HttpField field) {
        return field(field.getName(), field.getValue());
    }

    /** Writes a header field. */
    public HeadWriter field(String name, @Nullable String value) {
        text(name);
        room(2);
        bytes[size++] = ':';
        bytes[size++] = ' ';
        if (value != null) text(value);
        return put(CRLF);
    }

    /** Writes the header field for the length of the body. */
    public HeadWriter length(long length) {
        put(LENGTH);
        return number(length).put(CRLF);
    }

    /** Writes the header field for a body in chunks. */
    public HeadWriter chunked() {
        return put(CHUNKED);
    }

    /** Writes that the connection is closed after this message. */
    public HeadWriter close() {
        return put(CLOSE);
    }

    /** Writes that the connection is kept, for a peer that does not expect it. */
    public HeadWriter keepAlive() {
        return put(KEEP_ALIVE);
    }

    /** Writes the header field with the time of day. */
    public HeadWriter date() {
        put(DATE);
        return text(Dates.now()).put(CRLF);
    }

    /** Ends a line, or the head. */
    public HeadWriter endLine() {
        return put(CRLF);
    }

    /** Writes the line that begins a chunk. */
    public HeadWriter chunkSize(int length) {
        return text(Integer.toHexString(length)).put(CRLF);
    }

    /** Writes text of Latin-1 characters. */
    @SuppressWarnings("deprecation") // drops the upper halves of the characters, which are zero here
    public HeadWriter text(String text) {
        int length = text.length();
        room(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    /** Writes bytes. */
    public HeadWriter put(byte[] source) {
        return put(source, 0, source.length);
    }

    /** Writes bytes. */
    public HeadWriter put(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** Writes the remaining bytes of a buffer, which are taken from it. */
    public HeadWriter put(ByteBuffer source) {
        int length = source.remaining();
        room(length);
        source.get(bytes, size, length);
        size += length;
        return this;
    }

    private HeadWriter number(long value) {
        if (value < 10) {
            room(1);
            bytes[size++] = (byte) ('0' + value);
            return this;
        }
        return text(Long.toString(value));
    }

    private void room(int more) {
        if (more > bytes.length - size)
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
