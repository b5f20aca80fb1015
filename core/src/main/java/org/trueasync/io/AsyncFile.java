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
 * A file. Reading and writing suspend only the calling coroutine. Loop thread only: on another thread every method but {@link #isClosed} throws an
 * {@link org.trueasync.AsyncException}.
 *
 * <p>Requests on one file are served one at a time, in the order of the calls; so writes of several coroutines follow one another whole. A FIFO or a
 * device has no positions, and one line for readers and one for writers.
 *
 * <p><b>Cancellation</b> reaches a waiting coroutine at once, whatever the disk does. A cancelled read moves nothing: the next one gets the same bytes.
 * A cancelled write that has not begun writes nothing; one that has begun goes on to the end of the piece that the system works on, at most 256
 * KiB, and the position is then behind what was written. The next request waits for that.
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
     * Opens a file; suspends. Opening a FIFO waits until somebody has opened its other side.
     *
     * @param path which
     * @param options as {@link java.nio.channels.FileChannel#open} takes them; none for reading
     * @throws IllegalArgumentException if the options contradict one another
     * @throws UnsupportedOperationException if there is an option that the file system does not know
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; what is opened later is closed
     * @throws org.trueasync.InputOutputException if the system refuses; names path and errno
     */
    public static AsyncFile open(Path path, OpenOption... options) {
        return new AsyncFile(FileCore.open(path, Set.of(options), new FileAttribute<?>[0], null));
    }

    /**
     * As {@link #open(Path, OpenOption...)}, with attributes for a file that is made.
     *
     * @param path which
     * @param options as above
     * @param attributes {@link java.nio.file.attribute.PosixFilePermissions#asFileAttribute} for instance
     */
    public static AsyncFile open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        return new AsyncFile(FileCore.open(path, options, attributes, null));
    }

    /**
     * As {@link #open(Path, Set, FileAttribute...)}; gives up when the token ends.
     *
     * @param path which
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
     * Reads at the file's position, which moves by the result. What the system has in memory is read without a switch, where the reactor can.
     *
     * <p>Of a regular file the buffer is filled unless the end comes first. A FIFO or a device gives what is there; while there is nothing, only this
     * coroutine waits.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read, at least 1; -1 at the end of the file, and beyond it. If the file grows, the next read has more
     * @throws IllegalArgumentException if the buffer is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; neither position has moved
     * @throws org.trueasync.InputOutputException if the file was opened for writing only, closed meanwhile, or the system refuses; names path and errno
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
     * @throws org.trueasync.OperationCanceledException if the token ended first; neither position has moved
     */
    @Override
    public int read(ByteBuffer into, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.read(into, -1, cancellation);
    }

    /**
     * As {@link #read(ByteBuffer)}, at a position of its own; the file's position and {@link #isEof} stay.
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
     * Reads at the file's position what the system has in memory, or what a FIFO or a device has now; never waits.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read; 0 if none can be had without blocking the thread, if others read just now, or if the reactor can't tell ({@code nio}, other
     *     file systems); -1 at the end
     * @throws IllegalArgumentException if the buffer is read-only or has no room
     * @throws org.trueasync.InputOutputException if the file was opened for writing only, or is closed; names path and errno
     */
    @Override
    public int tryRead(ByteBuffer into) {
        return core.tryRead(into);
    }

    // ---- writing

    /**
     * Writes all remaining bytes at the file's position, which moves; beyond the end of the file zero bytes fill the gap. A file that was opened to
     * append gets them at its end, wherever its position is: that begins at 0 and counts what was written.
     *
     * @param from position moves to limit; may be changed again as soon as this returns
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may be written
     * @throws org.trueasync.InputOutputException if the file was opened for reading only, closed meanwhile, or the system refuses: a part may be
     *     written, up to the new position; names path and errno
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
     * As {@link #write(ByteBuffer)}, of several buffers one after another, as one write: nothing of another coroutine comes between.
     *
     * @param from each one's position moves to its limit
     */
    @Override
    public void write(ByteBuffer... from) {
        core.write(from, -1, null);
    }

    /**
     * As {@link #write(ByteBuffer...)}; gives up when the token ends.
     *
     * @param from each one's position moves to its limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may be written
     */
    @Override
    public void write(ByteBuffer[] from, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.write(from, -1, cancellation);
    }

    /**
     * As {@link #write(ByteBuffer)}, at a position of its own; the file's position stays. A file that was opened to append gets the bytes at its end
     * all the same.
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

    /** Waits until the system has taken the writes that were called earlier. Whether they are stored is {@link #sync}'s business. */
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
     * Has everything written so far stored for good, so that it survives a loss of power.
     *
     * @param metadata times and the like as well
     */
    public void sync(boolean metadata) {
        core.sync(metadata, null);
    }

    /**
     * As {@link #sync(boolean)}; gives up when the token ends.
     *
     * @param metadata times and the like as well
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void sync(boolean metadata, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.sync(metadata, cancellation);
    }

    // ---- position, size, status

    /** Where the next read or write without a position of its own begins; 0 at first. Does not wait for requests in line. */
    public long position() {
        return core.position();
    }

    /**
     * Moves the position, after the requests that were called earlier, and clears {@link #isEof}. Beyond the end of the file is no error.
     *
     * @param position >= 0
     * @throws IllegalArgumentException if it is negative
     * @throws org.trueasync.InputOutputException if the file has no positions ({@code ESPIPE}), or is closed
     */
    public void seek(long position) {
        core.seek(position, null);
    }

    /**
     * As {@link #seek(long)}; gives up when the token ends.
     *
     * @param position >= 0
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void seek(long position, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.seek(position, cancellation);
    }

    /** True after a read at the file's position has found the end, until another one finds bytes or {@link #seek} is called. */
    public boolean isEof() {
        return core.isEof();
    }

    /** The file's size in bytes. */
    public long size() {
        return core.size(null);
    }

    /**
     * As {@link #size()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public long size(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.size(cancellation);
    }

    /** What the system knows about the file. */
    public FileHandle.Status status() {
        return core.status(null);
    }

    /**
     * As {@link #status()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public FileHandle.Status status(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.status(cancellation);
    }

    /**
     * Makes the file this long: cuts it, or adds zero bytes. The position stays.
     *
     * @param size in bytes, >= 0
     * @throws IllegalArgumentException if it is negative
     */
    public void truncate(long size) {
        core.truncate(size, null);
    }

    /**
     * As {@link #truncate(long)}; gives up when the token ends.
     *
     * @param size in bytes, >= 0
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void truncate(long size, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.truncate(size, cancellation);
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
     * Locks a part of the file against everybody else who locks: other processes, and other coroutines of this process, through whatever {@code
     * AsyncFile}. Suspends until it can be had; within this process in the order of the calls. Who wants a lock that he has himself waits for ever,
     * which is reported as a deadlock.
     *
     * @param position where it begins, >= 0
     * @param size how long it is, > 0; {@link Long#MAX_VALUE} for all there may ever be
     * @param shared others may have it too, but only shared; the file must be open for reading. Else for writing
     * @return gives it back when it is closed, as closing the file does
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; should the system grant the lock later, it is given back
     * @throws org.trueasync.InputOutputException if the file is closed meanwhile, has no positions, or the system refuses; names path and errno
     */
    public AsyncFileLock lock(long position, long size, boolean shared) {
        return new AsyncFileLock(this, Objects.requireNonNull(core.lock(position, size, shared, true, null)));
    }

    /**
     * As {@link #lock(long, long, boolean)}; gives up when the token ends.
     *
     * @param position where it begins, >= 0
     * @param size how long it is, > 0
     * @param shared see above
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
     * As {@link #lock(long, long, boolean)}, without waiting for anybody who has it: suspends for the system's answer only.
     *
     * @param position where it begins, >= 0
     * @param size how long it is, > 0
     * @param shared see above
     * @return null if somebody has it, or waits for it
     */
    public @Nullable AsyncFileLock tryLock(long position, long size, boolean shared) {
        LockRequest locked = core.lock(position, size, shared, false, null);
        return locked == null ? null : new AsyncFileLock(this, locked);
    }

    /**
     * As {@link #tryLock(long, long, boolean)}; gives up when the token ends.
     *
     * @param position where it begins, >= 0
     * @param size how long it is, > 0
     * @param shared see above
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public @Nullable AsyncFileLock tryLock(long position, long size, boolean shared, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        LockRequest locked = core.lock(position, size, shared, false, cancellation);
        return locked == null ? null : new AsyncFileLock(this, locked);
    }

    // ---- sending

    /**
     * Sends a part of the file to a stream, straight from the system's memory where it can; the file's position stays. To others who write to the
     * stream it is one write. Suspends while the peer is slower than we are.
     *
     * @param target an open stream
     * @param position where the part begins, >= 0
     * @param count how many bytes, >= 0; less is sent if the file ends before
     * @return bytes sent
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws org.trueasync.InputOutputException if either is closed meanwhile, the file has no positions, or the system refuses
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
     * The file's lines, from its position on when they are first asked for; see {@link ByteStream#lines}. To seek does not move what has been read
     * ahead.
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

    /** The file as a channel in blocking mode, where blocking means this coroutine only. */
    @Override
    public SeekableByteChannel channel() {
        core.requireLoopThread("channel");
        return FileViews.channel(core);
    }

    // ---- the end

    /** True after {@link #close}. Any thread; another thread may see it late. */
    @Override
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Closes the file; whoever waits on it gets an {@link org.trueasync.InputOutputException} at once. Suspends until the system has closed it; where
     * nobody can wait, or while a call of somebody who was cancelled still goes on, it is closed later. Again does nothing.
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
