package org.trueasync.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Disposition;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.MultipartParser;
import org.trueasync.internal.http.server.RequestCore;

/**
 * The parts of a form that comes as {@code multipart/form-data}, see {@link Exchange#parts}; from the first to the
 * last, once. The client is read only as fast as the parts are: to go on to the next one skips what is left of the one
 * before.
 *
 * <p>What goes wrong is an {@link HttpException}: 413 beyond a limit, 400 if the form is malformed or ends early, and
 * as {@link Exchange#inputStream}. Set the limits before the first part. For one coroutine at a time.
 */
public final class FormParts implements Iterable<FormPart> {
    private static final int PIECE = 16 * 1024;

    private final RequestCore request;
    private final MultipartParser parser;
    /** The body as it was before it was compressed; null if it comes as it is. */
    private final @Nullable InputStream decoded;

    private int maxParts = 1_000;
    private long maxFieldBytes = 1024 * 1024;
    private long maxFileBytes;
    private int parts;
    private boolean begun;
    private boolean ended;
    private @Nullable FormPart current;

    FormParts(RequestCore request) {
        this.request = request;
        if (request.isBodyCoded())
            throw new HttpException(415, "this server takes bodies without a content coding alone");
        String type = request.fields().get(HttpHeader.CONTENT_TYPE);
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("multipart/form-data"))
            throw new HttpException(415, "the body must be multipart/form-data");
        try {
            parser = new MultipartParser(type, 16 * 1024);
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, "the form is malformed: " + e.getMessage());
        }
        decoded = request.decodesBody() ? request.input() : null;
    }

    /**
     * The most parts that the form may have; 1,000 otherwise. Returns this.
     *
     * @param count >= 1
     */
    public FormParts maxParts(int count) {
        maxParts = (int) positive("maxParts", count);
        return this;
    }

    /**
     * The most bytes that a part without a file name may have; 1 MiB otherwise. Returns this.
     *
     * @param bytes >= 1
     */
    public FormParts maxFieldBytes(long bytes) {
        maxFieldBytes = positive("maxFieldBytes", bytes);
        return this;
    }

    /**
     * The most bytes that a part with a file name may have; otherwise {@link Exchange#maxBodyBytes} alone limits it.
     * Returns this.
     *
     * @param bytes >= 1
     */
    public FormParts maxFileBytes(long bytes) {
        maxFileBytes = positive("maxFileBytes", bytes);
        return this;
    }

    private static long positive(String name, long value) {
        if (value < 1) throw new IllegalArgumentException(name + " must be >= 1, got " + value);
        return value;
    }

    /**
     * Returns the parts; {@code hasNext} waits for the client.
     *
     * @throws IllegalStateException at the second call
     */
    @Override
    public Iterator<FormPart> iterator() {
        if (begun) throw new IllegalStateException("the parts of a form can be read once");
        begun = true;
        return new Iterator<>() {
            private @Nullable FormPart ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) ahead = nextPart();
                return ahead != null;
            }

            @Override
            public FormPart next() {
                if (!hasNext()) throw new NoSuchElementException();
                FormPart part = Objects.requireNonNull(ahead);
                ahead = null;
                return part;
            }
        };
    }

    private @Nullable FormPart nextPart() {
        if (current != null) current.skip();
        current = null;
        Object found = found();
        if (found == null) return null;
        if (++parts > maxParts) throw new HttpException(413, "the form may have at most " + maxParts + " parts");
        var fields = (Fields) found;
        Disposition disposition = Disposition.of(fields.get("Content-Disposition"));
        if (disposition.name() == null || !disposition.type().equals("form-data"))
            throw new HttpException(400, "the form is malformed: a part has no name");
        boolean isFile = disposition.fileName() != null;
        current = new FormPart(this, fields, disposition, isFile ? maxFileBytes : maxFieldBytes);
        return current;
    }

    /** What the parser finds next; waits for the client. Null at the end of the form. */
    @Nullable
    Object found() {
        while (true) {
            Object found = parser.next();
            if (found != null) return found;
            if (parser.isComplete()) return null;
            if (ended || parser.failure() != null) throw malformed();
            ByteBuffer bytes = decoded == null ? taken() : decoded(decoded);
            ended = !bytes.hasRemaining();
            parser.parse(bytes);
        }
    }

    private HttpException malformed() {
        String why = parser.failure();
        return new HttpException(400, "the form is malformed: " + (why == null ? "it ends early" : why));
    }

    /** A part of the body, without a copy: it stays as it is until the next one is taken. */
    private ByteBuffer taken() {
        ByteBuffer part = request.body();
        if (part == null) return ByteBuffer.allocate(0);
        ByteBuffer bytes = part.duplicate();
        part.position(part.limit());
        return bytes;
    }

    private static ByteBuffer decoded(InputStream in) {
        try {
            return ByteBuffer.wrap(in.readNBytes(PIECE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
