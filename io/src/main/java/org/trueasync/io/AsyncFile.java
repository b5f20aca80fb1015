package org.trueasync.io;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.file.FileCore;
import org.trueasync.internal.file.FileViews;
import org.trueasync.internal.file.LockRequest;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.spi.FileHandle;

/**
 * A file. Reading and writing suspend only the calling coroutine. Loop thread only: on another thread every method but
 * {@link #isClosed} and {@link #toString} throws an {@link org.trueasync.AsyncException}.
 *
 * <p>Requests on one file are served one at a time, in the order of the calls, so writes of several coroutines never
 * mix. A FIFO or a device has no positions; it has one wait queue for reads, and one for writes and all other requests.
 *
 * <p><b>Cancellation</b> reaches a waiting coroutine at once, even if the disk is slow. A cancelled read moves no
 * position: the next read gets the same bytes. A cancelled write that has not begun writes nothing. One that has begun
 * finishes the piece that the system is writing, at most 256 KiB, and the position moves behind that piece. The next
 * request waits until the system has ended the earlier one. Only the wait in {@link #close} is not ended by a
 * cancellation.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="file" :
 * try (var file = AsyncFile.open(path, StandardOpenOption.READ)) {
 *     var buffer = ByteBuffer.allocate(64 * 1024);
 *     while (file.read(buffer.clear()) >= 0) use(buffer.flip());
 * }
 * }
 */
public final class AsyncFile implements ByteStream {
    private final FileCore core;

    private @Nullable LineReader lines;

    private AsyncFile(FileCore core) {
        this.core = core;
    }

    // ---- opening

    /**
     * Opens a file; suspends. Opening a FIFO waits until its other side is open.
     *
     * @param path the file
     * @param options as in {@link java.nio.channels.FileChannel#open}; none to read
     * @throws IllegalArgumentException if the options contradict one another, or one is given twice
     * @throws UnsupportedOperationException if the file system does not know an option
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; if the file is opened later, it is closed
     * @throws org.trueasync.InputOutputException if the system refuses; the message names path and errno
     */
    public static AsyncFile open(Path path, OpenOption... options) {
        return new AsyncFile(
                FileCore.open(path, Set.of(Objects.requireNonNull(options, "options")), new FileAttribute<?>[0], null));
    }

    /**
     * As {@link #open(Path, OpenOption...)}, with attributes for a file that is created.
     *
     * @param path the file
     * @param options as above
     * @param attributes for instance from {@link java.nio.file.attribute.PosixFilePermissions#asFileAttribute}
     */
    public static AsyncFile open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        return new AsyncFile(FileCore.open(path, options, attributes, null));
    }

    /**
     * As {@link #open(Path, Set, FileAttribute...)}; gives up when the token ends.
     *
     * @param path the file
     * @param options as above
     * @param cancellation the token
     * @param attributes as above
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static AsyncFile open(
            Path path, Set<? extends OpenOption> options, Completable<?> cancellation, FileAttribute<?>... attributes) {
        Objects.requireNonNull(cancellation, "cancellation");
        return new AsyncFile(FileCore.open(path, options, attributes, cancellation));
    }

    // ---- reading

    /**
     * Reads at the file's position, which moves by the result. Bytes that the system has in memory are read without a
     * switch, if the reactor supports that.
     *
     * <p>A regular file fills the buffer, unless the end or an error comes first; the error is then thrown by the next
     * read. A FIFO or a device gives the bytes that are there; while there are none, only this coroutine waits.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read, at least 1; -1 at the end of the file and beyond. If the file grows, a later read gets more
     * @throws IllegalArgumentException if the buffer is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the positions of file and buffer have not
     *     moved
     * @throws org.trueasync.InputOutputException if the file was opened for writing only, is closed before or
     *     meanwhile, or the system refuses; the message names path and errno
     */
    @Override
    public int read(ByteBuffer into) {
        return core.read(into, -1, null);
    }

    /**
     * As {@link #read(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the positions of file and buffer have
     *     not moved
     */
    @Override
    public int read(ByteBuffer into, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.read(into, -1, cancellation);
    }

    /**
     * As {@link #read(ByteBuffer)}, but at a given position; the file's position and {@link #isEof} stay.
     *
     * @param into filled from position towards limit
     * @param position where in the file, >= 0
     * @throws org.trueasync.InputOutputException also if the file has no positions ({@code ESPIPE})
     */
    public int read(ByteBuffer into, long position) {
        return core.read(into, core.requirePosition("read from", position), null);
    }

    /**
     * As {@link #read(ByteBuffer, long)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param position where in the file, >= 0
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public int read(ByteBuffer into, long position, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.read(into, core.requirePosition("read from", position), cancellation);
    }

    /**
     * Reads at the file's position the bytes that the system has in memory, or that a FIFO or a device has now; never
     * waits.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read; 0 if none can be read without blocking the thread, if an earlier request is not finished (on
     *     a FIFO or a device: an earlier read), or if the reactor can't tell ({@code nio}, other file systems); -1 at
     *     the end
     * @throws IllegalArgumentException if the buffer is read-only or has no room
     * @throws org.trueasync.InputOutputException if the file was opened for writing only, or is closed; the message
     *     names path and errno
     */
    @Override
    public int tryRead(ByteBuffer into) {
        return core.tryRead(into);
    }

    // ---- writing

    /**
     * Writes all remaining bytes at the file's position, which moves. If the position is beyond the end of the file,
     * zero bytes fill the gap. A file that was opened to append gets the bytes at its end, whatever its position; its
     * position begins at 0 and moves by the bytes written.
     *
     * @param from position moves to limit; may be changed again as soon as this returns
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may be written
     * @throws org.trueasync.InputOutputException if the file was opened for reading only, is closed before or
     *     meanwhile, or the system refuses; a part may be written, up to the file's new position; the message names
     *     path and errno
     */
    @Override
    public void write(ByteBuffer from) {
        core.write(new ByteBuffer[] {from}, -1, null);
    }

    /**
     * As {@link #write(ByteBuffer)}; gives up when the token ends.
     *
     * @param from position moves to limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may be written
     */
    @Override
    public void write(ByteBuffer from, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.write(new ByteBuffer[] {from}, -1, cancellation);
    }

    /**
     * As {@link #write(ByteBuffer)}, for several buffers one after another, as one write: no write of another coroutine
     * comes between.
     *
     * @param from each one's position moves to its limit
     */
    @Override
    public void write(ByteBuffer... from) {
        Objects.requireNonNull(from, "from");
        core.write(from, -1, null);
    }

    /**
     * As {@link #write(ByteBuffer)}, but at a given position; the file's position stays. A file that was opened to
     * append still gets the bytes at its end.
     *
     * @param from position moves to limit
     * @param position where in the file, >= 0
     * @throws org.trueasync.InputOutputException also if the file has no positions ({@code ESPIPE})
     */
    public void write(ByteBuffer from, long position) {
        core.write(new ByteBuffer[] {from}, core.requirePosition("write to", position), null);
    }

    /**
     * As {@link #write(ByteBuffer, long)}; gives up when the token ends.
     *
     * @param from position moves to limit
     * @param position where in the file, >= 0
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may be written
     */
    public void write(ByteBuffer from, long position, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.write(new ByteBuffer[] {from}, core.requirePosition("write to", position), cancellation);
    }

    /**
     * Waits until the system has taken the writes that were called earlier. To have them stored, call {@link #sync}.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if the file is closed before or meanwhile
     */
    @Override
    public void flush() {
        core.flush(null);
    }

    /**
     * As {@link #flush()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    @Override
    public void flush(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.flush(cancellation);
    }

    /**
     * Has the system store on the device everything that earlier calls have written, so that it survives a power
     * failure; suspends.
     *
     * @param metadata true to store also metadata such as times
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the system may store it all the same
     * @throws org.trueasync.InputOutputException if the file is closed before or meanwhile, or the system refuses; the
     *     message names path and errno
     */
    public void sync(boolean metadata) {
        core.sync(metadata, null);
    }

    /**
     * As {@link #sync(boolean)}; gives up when the token ends.
     *
     * @param metadata true to store also metadata such as times
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void sync(boolean metadata, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.sync(metadata, cancellation);
    }

    // ---- position, size, status

    /**
     * The file's position, where the next read or write without a given position begins; 0 at first. For a FIFO or a
     * device: the number of bytes read and written so far. Does not wait for earlier requests.
     *
     * @throws org.trueasync.InputOutputException if the file is closed
     */
    public long position() {
        return core.position();
    }

    /**
     * Sets the position, after the requests that were called earlier, and clears {@link #isEof}. It may be beyond the
     * end of the file.
     *
     * @param position >= 0
     * @throws IllegalArgumentException if it is negative
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the position stays
     * @throws org.trueasync.InputOutputException if the file has no positions ({@code ESPIPE}), or is closed before or
     *     meanwhile
     */
    public void seek(long position) {
        core.seek(position);
    }

    /**
     * True after a read at the file's position has returned -1, until another one gets bytes or {@link #seek} is
     * called.
     */
    public boolean isEof() {
        return core.isEof();
    }

    /**
     * The file's size in bytes; suspends until earlier requests have ended and the system has answered.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if the file is closed before or meanwhile, or the system refuses; the
     *     message names path and errno
     */
    public long size() {
        return core.size();
    }

    /**
     * What the system knows about the file; suspends as {@link #size()} does.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if the file is closed before or meanwhile, or the system refuses; the
     *     message names path and errno
     */
    public FileHandle.Status status() {
        return core.status();
    }

    /**
     * Sets the file's size: cuts the file, or adds zero bytes. The position stays. Suspends.
     *
     * @param size in bytes, >= 0
     * @throws IllegalArgumentException if it is negative
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; if the system has begun, it finishes
     * @throws org.trueasync.InputOutputException if the file was opened for reading only, is closed before or
     *     meanwhile, or the system refuses; the message names path and errno
     */
    public void truncate(long size) {
        core.truncate(size);
    }

    // ---- locks

    /** As {@link #lock(long, long, boolean)}: the whole file, exclusively. */
    public AsyncFileLock lock() {
        return lock(0, Long.MAX_VALUE, false);
    }

    /**
     * As {@link #lock()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public AsyncFileLock lock(Completable<?> cancellation) {
        return lock(0, Long.MAX_VALUE, false, cancellation);
    }

    /**
     * Locks a part of the file against other locks: of other processes, and of other coroutines of this process,
     * through any {@code AsyncFile}. Suspends until the lock is granted; within this process, in the order of the
     * calls. A coroutine that asks for a lock which another lock of its own excludes waits for ever. Once nothing else
     * can go on, that is reported as a deadlock.
     *
     * <p>With the reactor {@code nio}, what shared locks that overlap have locked together is unlocked together. So an
     * exclusive lock may have to wait for a shared lock that does not overlap it.
     *
     * @param position where it begins, >= 0
     * @param size length in bytes, > 0; {@link Long#MAX_VALUE} to the end of the file, however long it becomes
     * @param shared true if others may lock the part too, but only shared; the file must be open for reading then,
     *     otherwise for writing
     * @return the lock; closing it, or the file, releases it
     * @throws IllegalArgumentException if position or size is out of range
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; if the system grants the lock later, it is
     *     released
     * @throws org.trueasync.InputOutputException if the file is closed before or meanwhile, has no positions, is not
     *     open for what {@code shared} needs, or the system refuses; the message names path and errno
     */
    public AsyncFileLock lock(long position, long size, boolean shared) {
        return new AsyncFileLock(this, Objects.requireNonNull(core.lock(position, size, shared, true, null)));
    }

    /**
     * As {@link #lock(long, long, boolean)}; gives up when the token ends.
     *
     * @param position where it begins, >= 0
     * @param size length in bytes, > 0
     * @param shared true if others may lock the part too, but only shared
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public AsyncFileLock lock(long position, long size, boolean shared, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return new AsyncFileLock(this, Objects.requireNonNull(core.lock(position, size, shared, true, cancellation)));
    }

    /** As {@link #tryLock(long, long, boolean)}: the whole file, exclusively. */
    public @Nullable AsyncFileLock tryLock() {
        return tryLock(0, Long.MAX_VALUE, false);
    }

    /**
     * As {@link #lock(long, long, boolean)}, but does not wait for other locks: suspends for the system's answer only.
     *
     * @param position where it begins, >= 0
     * @param size length in bytes, > 0
     * @param shared true if others may lock the part too, but only shared
     * @return the lock; null if another lock, or an earlier request for one, is in the way
     */
    public @Nullable AsyncFileLock tryLock(long position, long size, boolean shared) {
        LockRequest locked = core.lock(position, size, shared, false, null);
        return locked == null ? null : new AsyncFileLock(this, locked);
    }

    // ---- sending

    /**
     * Sends a part of the file to a stream, straight from the system's memory if possible; the file's position stays.
     * For other writers of a {@link TcpStream}, {@link Pipe} or {@link Tty} it is one write. To any other stream it is
     * a series of writes of at most 256 KiB. Suspends while the peer is slower.
     *
     * @param target an open stream
     * @param position where the part begins, >= 0
     * @param count how many bytes, >= 0; fewer are sent if the file ends before
     * @return bytes sent
     * @throws IllegalArgumentException if position or count is negative
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws org.trueasync.InputOutputException if the file was opened for writing only or has no positions, if file
     *     or stream is closed before or meanwhile, or if the system refuses; a part may have been sent
     */
    public long sendTo(ByteStream target, long position, long count) {
        return send(target, position, count, null);
    }

    /**
     * As {@link #sendTo(ByteStream, long, long)}; gives up when the token ends.
     *
     * @param target an open stream
     * @param position where the part begins, >= 0
     * @param count how many bytes, >= 0
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may have been sent
     */
    public long sendTo(ByteStream target, long position, long count, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return send(target, position, count, cancellation);
    }

    private long send(ByteStream target, long position, long count, @Nullable Completable<?> cancellation) {
        Objects.requireNonNull(target, "target");
        if (target instanceof CoreStream<?> stream && stream.core instanceof StreamCore socket)
            return core.sendTo(socket, position, count, cancellation);
        return core.sendTo(
                bytes -> {
                    if (cancellation == null) target.write(bytes);
                    else target.write(bytes, cancellation);
                },
                position,
                count,
                cancellation);
    }

    // ---- views

    /**
     * The file's lines, from its position at the first read on; see {@link ByteStream#lines}. A seek does not discard
     * what has been read ahead.
     */
    @Override
    public LineReader lines() {
        core.requireLoopThread("lines");
        LineReader reader = lines;
        if (reader == null) lines = reader = new LineReader(this);
        return reader;
    }

    /** The file as an {@link InputStream}; closing it closes the file. */
    @Override
    public InputStream inputStream() {
        core.requireLoopThread("inputStream");
        return FileViews.input(core);
    }

    /** The file as an unbuffered {@link OutputStream}; closing it closes the file. */
    @Override
    public OutputStream outputStream() {
        core.requireLoopThread("outputStream");
        return FileViews.output(core);
    }

    /** The file as a channel in blocking mode, which blocks only the calling coroutine. */
    @Override
    public SeekableByteChannel channel() {
        core.requireLoopThread("channel");
        return FileViews.channel(core);
    }

    // ---- the end

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    @Override
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Closes the file; coroutines that wait on it get an {@link org.trueasync.InputOutputException} at once. Suspends
     * until the system has closed it; a cancellation does not end this wait. The system closes the file later if the
     * caller can't suspend, if a request is still running (of a cancelled coroutine for instance), or if a lock needs
     * the file to stay open. An error of that closing is not thrown but reported to the diagnostics. A FIFO or a device
     * is closed even if a request is running, which then ends. Idempotent.
     *
     * @throws org.trueasync.InputOutputException if what was written can't be stored; the file is closed all the same
     */
    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return "file " + core.path() + (isClosed() ? ", closed" : "");
    }
}
