package org.trueasync.internal.http.client;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The body of a request: bytes, which can be sent again, or what a writer writes, once. */
public final class RequestBody {
    /** Writes a body. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream out) throws Exception;
    }

    /** No body. */
    public static final RequestBody NONE = new RequestBody(new byte[0], null, 0);

    /** Bodies of up to so many bytes are sent by the caller's coroutine, with the head. */
    private static final int SMALL = 64 * 1024;

    final byte @Nullable [] bytes;
    private final @Nullable Writer writer;
    /** -1 if it is not known. */
    final long length;

    private RequestBody(byte @Nullable [] bytes, @Nullable Writer writer, long length) {
        this.bytes = bytes;
        this.writer = writer;
        this.length = length;
    }

    /** A body of these bytes, which are not changed any more. */
    public static RequestBody of(byte[] bytes) {
        return new RequestBody(bytes, null, bytes.length);
    }

    /**
     * A body that is written when it is sent.
     *
     * @param length -1 if it is not known
     */
    public static RequestBody of(Writer writer, long length) {
        return new RequestBody(null, writer, length);
    }

    boolean isRepeatable() {
        return bytes != null;
    }

    /** The bytes, if the body is sent with the head; else null. */
    byte @Nullable [] small() {
        return bytes != null && bytes.length <= SMALL ? bytes : null;
    }

    void writeTo(OutputStream out) throws Exception {
        if (bytes != null) out.write(bytes);
        else if (writer != null) writer.write(out);
    }
}
