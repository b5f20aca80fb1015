package org.trueasync.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.internal.http.message.Disposition;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.MultipartParser;
import org.trueasync.internal.http.message.Queries;
import org.trueasync.io.AsyncFile;

/**
 * A part of a form: a field, or a file. Its content can be read until the next part is asked for. Its methods throw an
 * {@link HttpException} as {@link FormParts} says.
 */
public final class FormPart {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final FormParts parts;
    private final Headers headers;
    private final String name;
    private final @Nullable String fileName;
    private final long max;
    private final InputStream input = new Content();
    private ByteBuffer content = NOTHING;
    private long count;
    private boolean ended;

    FormPart(FormParts parts, Fields fields, Disposition disposition, long max) {
        this.parts = parts;
        this.headers = new Headers(fields, "the header fields of a part can't be changed");
        this.name = Objects.requireNonNull(disposition.name());
        this.fileName = disposition.fileName();
        this.max = max;
    }

    /** Returns the name of the field. */
    public String name() {
        return name;
    }

    /** True for a file: it has a file name. */
    public boolean isFile() {
        return fileName != null;
    }

    /**
     * Returns the file name as the client has sent it, without folders; empty if the user has chosen no file; null for
     * what is no file. The client has chosen it: do not make it a path here.
     */
    public @Nullable String fileName() {
        return fileName;
    }

    /** Returns the header fields of the part; {@code Content-Type} for instance. */
    public Headers headers() {
        return headers;
    }

    /** Returns the content as a stream, always the same. Its {@code read} waits for the client. */
    public InputStream inputStream() {
        return input;
    }

    /**
     * Reads the rest of the content.
     *
     * @throws org.trueasync.InputOutputException if the client leaves before the end
     */
    public byte[] bytes() {
        try {
            return input.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the rest of the content as text: in the charset that its {@code Content-Type} names, else in UTF-8.
     *
     * @throws HttpException also 415 if the charset is not known
     * @throws org.trueasync.InputOutputException if the client leaves before the end
     */
    public String text() {
        String charset = Queries.parameter(headers.get("Content-Type"), "charset");
        try {
            return new String(bytes(), charset == null ? StandardCharsets.UTF_8 : Charset.forName(charset));
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, "the charset of a part is not known here");
        }
    }

    /**
     * Writes the rest of the content to a file, which is made, or replaced. Holds a small part of it at a time, and
     * helper threads wait for the disk. If it fails, the file is removed.
     *
     * @param file chosen by the program, not by the client
     * @return how many bytes there were
     * @throws org.trueasync.InputOutputException if the client leaves before the end, or the disk refuses
     */
    public long saveTo(Path file) {
        Objects.requireNonNull(file, "file");
        boolean done = false;
        try (var out = AsyncFile.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            long written = 0;
            ByteBuffer piece;
            while ((piece = content()) != null) {
                written += piece.remaining();
                out.write(piece);
            }
            done = true;
            return written;
        } finally {
            if (!done) Async.protect(() -> Async.blocking(() -> Files.deleteIfExists(file)));
        }
    }

    /** Reads and forgets the rest. */
    void skip() {
        for (ByteBuffer piece = content(); piece != null; piece = content()) piece.position(piece.limit());
    }

    /** The next piece, what is taken from it is read; null at the end. */
    private @Nullable ByteBuffer content() {
        if (content.hasRemaining()) return content;
        content = NOTHING;
        if (ended) return null;
        Object found = parts.found();
        if (found == null || found == MultipartParser.END) {
            ended = true;
            return null;
        }
        content = (ByteBuffer) found;
        count += content.remaining();
        if (max > 0 && count > max)
            throw new HttpException(
                    413, "a " + (isFile() ? "file" : "field") + " of the form may have at most " + max + " bytes");
        return content;
    }

    private final class Content extends InputStream {
        @Override
        public int read() {
            ByteBuffer piece = content();
            return piece == null ? -1 : piece.get() & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, into.length);
            if (length == 0) return 0;
            ByteBuffer piece = content();
            if (piece == null) return -1;
            int read = Math.min(length, piece.remaining());
            piece.get(into, offset, read);
            return read;
        }
    }

    @Override
    public String toString() {
        return "part " + name + (fileName == null ? "" : " with the file " + fileName);
    }
}
