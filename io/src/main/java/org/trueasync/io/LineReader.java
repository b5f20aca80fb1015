package org.trueasync.io;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.TurnQueue;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The lines of a stream, from {@link ByteStream#lines}. A line ends with LF or CRLF, which is not part of it; the last
 * line may end with the stream. Loop thread only: on another thread every method throws an
 * {@link org.trueasync.AsyncException}.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="lines" :
 * for (String line : stream.lines()) stream.writeLine("you said " + line);
 * }
 *
 * <p>The reader reads ahead: bytes behind a line are kept for the next line. If a protocol changes from lines to
 * something else, {@link #read} returns them as bytes. A stream has one reader; {@code lines()} always returns the
 * same. Several coroutines may read, in the order of their calls. A cancelled read loses nothing: the next read also
 * gets the part of the line that has come.
 */
public final class LineReader implements Iterable<String> {
    private static final int FIRST_SIZE = 4 * 1024;
    private static final int DEFAULT_MAX_LENGTH = 64 * 1024;
    /** The largest array that every JVM can make, if it has the memory. */
    private static final int LARGEST_SIZE = Integer.MAX_VALUE - 8;
    /** With CR and LF it fits into the largest array. */
    private static final int LONGEST = LARGEST_SIZE - 2;

    private static final byte[] NEWLINE = {'\n'};

    private final ByteStream stream;
    private final Loop loop;
    private final TurnQueue readers;
    private final String turn;
    private Charset charset = StandardCharsets.UTF_8;
    private CodingErrorAction onMalformed = CodingErrorAction.REPLACE;
    private int maxLength = DEFAULT_MAX_LENGTH;

    /** Bytes from start to end have been read ahead; there is no line end before scanned. */
    private byte[] buffer = new byte[0];

    private int start;
    private int scanned;
    private int end;
    private long line;

    LineReader(ByteStream stream) {
        this.stream = stream;
        this.loop = Runtimes.here("lines");
        this.readers = new TurnQueue(loop);
        this.turn = "turn to read lines of " + stream;
    }

    // ---- settings

    /**
     * Sets the maximal length of a line; 64 KiB by default. So a peer that never sends a line end can't fill the
     * memory.
     *
     * @param bytes 1 or more, without the line end
     * @return this
     * @throws IllegalArgumentException if it is less
     */
    public LineReader maxLength(int bytes) {
        loop.requireLoopThread("maxLength");
        if (bytes < 1) throw new IllegalArgumentException("the length of a line must be >= 1 byte, got " + bytes);
        maxLength = Math.min(bytes, LONGEST);
        return this;
    }

    /**
     * Sets the character set of the following lines; UTF-8 by default.
     *
     * @param encoding a character set in which LF is the byte 10, so not UTF-16
     * @return this
     * @throws IllegalArgumentException if LF is anything else in it
     */
    public LineReader charset(Charset encoding) {
        loop.requireLoopThread("charset");
        if (!Arrays.equals("\n".getBytes(Objects.requireNonNull(encoding, "encoding")), NEWLINE))
            throw new IllegalArgumentException("lines can't be found in " + encoding
                    + ", where their end is not the byte 10; read bytes and decode them");
        charset = encoding;
        return this;
    }

    /**
     * Sets what happens to bytes that are malformed in the character set; by default they become U+FFFD.
     *
     * @param action {@link CodingErrorAction#REPORT} for an error that names the line; {@link CodingErrorAction#IGNORE}
     *     to drop them
     * @return this
     */
    public LineReader onMalformed(CodingErrorAction action) {
        loop.requireLoopThread("onMalformed");
        onMalformed = Objects.requireNonNull(action, "action");
        return this;
    }

    // ---- reading

    /**
     * Reads the next line; suspends until all of it has come.
     *
     * @return the line without its end; null at the end of the stream
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws InputOutputException if the line is longer than {@link #maxLength}: nothing is lost, and the line can be
     *     read with a larger limit or as bytes. Also if bytes are malformed and {@link #onMalformed(CodingErrorAction)}
     *     was called with REPORT: that line is skipped. Also if the stream is closed or fails
     */
    public @Nullable String readLine() {
        return next(null);
    }

    /**
     * As {@link #readLine()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no byte is lost
     */
    public @Nullable String readLine(Completable<?> cancellation) {
        return next(Objects.requireNonNull(cancellation, "cancellation"));
    }

    private @Nullable String next(@Nullable Completable<?> token) {
        take("readLine", token);
        try {
            int length;
            while ((length = lineLength()) < 0) {
                if (fill(token)) continue;
                // a file may grow, so the next call asks the stream again
                if (start == end) return null;
                length = end - start;
                break;
            }
            return line(length);
        } finally {
            readers.next();
        }
    }

    /**
     * Reads bytes: first those that were read ahead, then the stream's. For protocols that change from lines to
     * something else.
     *
     * @param into filled from position towards limit
     * @return bytes read, at least 1; -1 at the end of the stream
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws InputOutputException if the stream is closed or fails
     */
    public int read(ByteBuffer into) {
        return read(into, null, "read");
    }

    /**
     * As {@link #read(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no byte is lost
     */
    public int read(ByteBuffer into, Completable<?> cancellation) {
        return read(into, Objects.requireNonNull(cancellation, "cancellation"), "read");
    }

    private int read(ByteBuffer into, @Nullable Completable<?> token, String call) {
        Objects.requireNonNull(into, "into");
        take(call, token);
        try {
            if (start == end || into.isReadOnly() || !into.hasRemaining()) return readStream(into, token);
            int count = Math.min(into.remaining(), end - start);
            into.put(buffer, start, count);
            start += count;
            scanned = Math.max(scanned, start);
            return count;
        } finally {
            readers.next();
        }
    }

    /** Number of bytes that have been read ahead; {@link #read} returns them without asking the stream. */
    public int buffered() {
        loop.requireLoopThread("buffered");
        return end - start;
    }

    /**
     * Returns the following lines, for a {@code for} loop; {@code hasNext} suspends until one is there. Leaving the
     * loop loses no line: the next loop, or {@link #readLine}, continues after the last one.
     */
    @Override
    public Iterator<String> iterator() {
        loop.requireLoopThread("iterator");
        return new Iterator<>() {
            private @Nullable String ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) ahead = readLine();
                return ahead != null;
            }

            @Override
            public String next() {
                if (!hasNext()) throw new NoSuchElementException("the stream has ended");
                String line = Objects.requireNonNull(ahead);
                ahead = null;
                return line;
            }
        };
    }

    private void take(String call, @Nullable Completable<?> token) {
        loop.requireLoopThread(call);
        Awaiting.admit(token);
        readers.take(turn, token);
    }

    /** Length of the next line without its end; -1 if the end has not come. */
    private int lineLength() {
        while (scanned < end && buffer[scanned] != '\n') scanned++;
        int length = scanned - start;
        boolean whole = scanned < end;
        // a CR that belongs to the line end does not count
        int limit = maxLength + (length > 0 && buffer[scanned - 1] == '\r' ? 1 : 0);
        if (length > limit)
            throw new InputOutputException(
                    "line " + (line + 1) + " of " + stream + " is longer than " + maxLength
                            + " bytes; allow more with lines().maxLength(..), or read it as bytes with"
                            + " lines().read(..)",
                    "");
        return whole ? length : -1;
    }

    private String line(int length) {
        int from = start;
        boolean whole = start + length < end;
        start += whole ? length + 1 : length;
        scanned = start;
        line++;
        if (whole && length > 0 && buffer[from + length - 1] == '\r') length--;
        ByteBuffer bytes = ByteBuffer.wrap(buffer, from, length);
        if (onMalformed == CodingErrorAction.REPLACE) return new String(buffer, from, length, charset);
        try {
            CharBuffer text = charset.newDecoder()
                    .onMalformedInput(onMalformed)
                    .onUnmappableCharacter(onMalformed)
                    .decode(bytes);
            return text.toString();
        } catch (CharacterCodingException e) {
            throw new InputOutputException(
                    "line " + line + " of " + stream + " is not " + charset + ": malformed at byte "
                            + (bytes.position() - from) + " of " + length,
                    "",
                    e);
        }
    }

    /** Reads more bytes into the buffer. False at the end of the stream. */
    private boolean fill(@Nullable Completable<?> token) {
        if (start == end) start = scanned = end = 0;
        if (end == buffer.length) makeRoom();
        int count = readStream(ByteBuffer.wrap(buffer, end, buffer.length - end), token);
        if (count < 0) return false;
        end += count;
        return true;
    }

    private void makeRoom() {
        int length = end - start;
        byte[] target = buffer;
        if (length > buffer.length / 2) {
            // bounded: lineLength() has thrown if the line was too long
            target = new byte[(int) Math.min(Math.max(FIRST_SIZE, 2L * buffer.length), LARGEST_SIZE)];
        } else if (buffer.length == 0) {
            target = new byte[FIRST_SIZE];
        }
        System.arraycopy(buffer, start, target, 0, length);
        buffer = target;
        scanned -= start;
        start = 0;
        end = length;
    }

    private int readStream(ByteBuffer into, @Nullable Completable<?> token) {
        return token == null ? stream.read(into) : stream.read(into, token);
    }

    @Override
    public String toString() {
        return "lines of " + stream;
    }
}
