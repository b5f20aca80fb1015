package org.trueasync.io;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.trueasync.Completable;

/**
 * A stream of bytes, for one direction or both: the common interface of {@link TcpStream}, {@link TlsStream},
 * {@link Pipe}, {@link Tty} and {@link AsyncFile}. Reading and writing suspend only the calling coroutine; one
 * coroutine may read while another writes. Loop thread only: on another thread every method but {@link #isClosed}
 * throws an {@link org.trueasync.AsyncException}. A stream for one direction refuses calls for the opposite direction
 * with {@code EBADF}.
 */
public interface ByteStream extends AutoCloseable {
    /**
     * Reads the bytes that are there; while there are none, only this coroutine waits. If there are always some, other
     * coroutines still get their turns.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read, 1 to {@code into.remaining()}; -1 at end of stream, then always, except for a file that grows
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws WrongThreadException if the buffer's memory belongs to another thread; no byte is lost
     * @throws IllegalStateException if the buffer's memory has been freed; no byte is lost
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws org.trueasync.InputOutputException if closed before or meanwhile, or refused by the system; the message
     *     names peer and errno
     */
    int read(ByteBuffer into);

    /**
     * As {@link #read(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no byte is lost
     */
    int read(ByteBuffer into, Completable<?> cancellation);

    /**
     * Reads the bytes that are there and never waits. It does not let other coroutines run either, so do not call it in
     * a loop until bytes come; {@link #read(ByteBuffer)} waits.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read, up to {@code into.remaining()}; 0 if none are there now, or if other coroutines wait for
     *     them; -1 at end of stream, then always, except for a file that grows
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws org.trueasync.InputOutputException if closed or refused by the system; the message names peer and errno
     */
    int tryRead(ByteBuffer into);

    /**
     * Writes all remaining bytes; waits while the peer is slower. If the peer is always fast enough, other coroutines
     * still get their turns. Writes of several coroutines never mix; they are done in the order of the calls. If a
     * cancelled write has left bytes unsent, this first waits until they are sent.
     *
     * @param from position moves to limit; must not be changed until this returns
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is sent
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    void write(ByteBuffer from);

    /**
     * As {@link #write(ByteBuffer)}; gives up when the token ends.
     *
     * @param from position moves to limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may have been sent
     */
    void write(ByteBuffer from, Completable<?> cancellation);

    /**
     * Writes all remaining bytes of several buffers, one after another, as one write: no other write comes between
     * them, and the system takes them together if it can.
     *
     * @param from positions move to limits; without any bytes nothing is written
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent, at most up to the
     *     positions
     * @throws WrongThreadException if a buffer's memory belongs to another thread; the buffers before it may have been
     *     sent
     * @throws IllegalStateException if a buffer's memory has been freed; the buffers before it may have been sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    void write(ByteBuffer... from);

    /**
     * Waits until the system has taken everything that was written before. A write that has returned has waited for
     * that itself; so this waits for the pending writes of other coroutines, and for what a cancelled write has left.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    void flush();

    /**
     * As {@link #flush()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    void flush(Completable<?> cancellation);

    /**
     * Ends the output: the peer reads the end of the stream after all that was written. Reading goes on. What has no
     * such end, a file or a terminal, is flushed.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    default void shutdownOutput() {
        flush();
    }

    /**
     * Copies between this stream and another one, both ways, as a proxy or a tunnel does. Returns when both have ended.
     * When one ends, the {@linkplain #shutdownOutput output} of the other is ended, and the opposite direction goes on.
     * Closes neither, also if it fails.
     *
     * @param other both are for both directions, and nobody else reads from them meanwhile
     * @param idle > 0; the longest time in which neither direction moves
     * @throws org.trueasync.AsyncTimeoutException if neither direction has moved in that time; bytes that a peer did
     *     not take are lost
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; bytes may be lost
     * @throws org.trueasync.InputOutputException if one of them fails; what the other has sent may be lost
     */
    default void relay(ByteStream other, Duration idle) {
        new Relay(idle).run(this, Objects.requireNonNull(other, "other"));
    }

    /**
     * The stream's lines, as text: {@code for (String line : stream.lines())}, or one by one. The reader reads ahead,
     * so don't mix it with other reads of the stream; to go on with bytes use {@link LineReader#read}. The streams of
     * this library return the same reader each time.
     */
    default LineReader lines() {
        return new LineReader(this);
    }

    /**
     * Writes text, in UTF-8, as {@link #write(ByteBuffer)} writes bytes.
     *
     * @param text the text; an unpaired surrogate becomes {@code ?}
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    default void writeText(String text) {
        write(ByteBuffer.wrap(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * As {@link #writeText(String)}; gives up when the token ends.
     *
     * @param text the text
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may have been sent
     */
    default void writeText(String text, Completable<?> cancellation) {
        write(ByteBuffer.wrap(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8)), cancellation);
    }

    /**
     * Writes text and the end of a line (LF), in UTF-8, as one write.
     *
     * @param line the line; written as it is, even if it contains line ends
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    default void writeLine(String line) {
        writeText(Objects.requireNonNull(line, "line") + "\n");
    }

    /**
     * As {@link #writeLine(String)}; gives up when the token ends.
     *
     * @param line the line
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may have been sent
     */
    default void writeLine(String line, Completable<?> cancellation) {
        writeText(Objects.requireNonNull(line, "line") + "\n", cancellation);
    }

    /**
     * The stream as an {@link InputStream}; closing it closes the stream. For one reader at a time. Where this stream
     * throws an {@link org.trueasync.InputOutputException}, the view throws an {@link java.io.IOException}.
     */
    InputStream inputStream();

    /**
     * The stream as an unbuffered {@link OutputStream}; closing it closes the stream. Errors are as in
     * {@link #inputStream}.
     */
    OutputStream outputStream();

    /**
     * The stream as a channel in blocking mode, which blocks only the calling coroutine. It is also a
     * {@link java.nio.channels.GatheringByteChannel}, except for a file. Errors are as in {@link #inputStream}.
     */
    ByteChannel channel();

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    boolean isClosed();

    /**
     * Closes the stream. Coroutines that wait in a read or write get an {@link org.trueasync.InputOutputException}.
     * Only {@link AsyncFile} and {@link TlsStream} may suspend here. Idempotent.
     */
    @Override
    void close();
}
