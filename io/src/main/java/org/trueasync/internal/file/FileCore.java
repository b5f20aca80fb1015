package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.io.LeakedHandle;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.FileHandle;

/**
 * An open file as coroutines see it, on top of a {@link FileHandle}.
 *
 * <p>Requests are served one at a time, in the order of the calls; a file without positions (a FIFO, a device) has one
 * queue for readers and one for writers. What the system has in memory is read on the loop thread, into the caller's
 * buffer, and some writes are made there. Everything else is a {@link FileCall} on a helper thread, with a buffer of
 * its own: a coroutine that is cancelled leaves at once, its call ends later.
 *
 * <p>Only the request that has the turn moves the position. A read moves it by what the caller got; a write by what the
 * system took, even if the writer has left meanwhile, so that the next one does not write over it. Bytes of a cancelled
 * read from a file without positions are kept for the next reader.
 */
public final class FileCore {
    final Loop loop;
    final FileHandle handle;
    final boolean seekable;
    final Workers workers;
    final HandleUse use;
    private final String path;
    private final boolean readable;
    private final boolean writable;
    private final boolean appends;
    private final CallQueue reads;
    final CallQueue writes;
    private final Reading reading;

    private long position;
    private boolean end;
    /** In an object of its own because {@link LeakedHandle} needs it and must not refer to the file. */
    private final ClosedFlag closedFlag = new ClosedFlag();
    /** Locks, and requests that wait for one. */
    private final Set<LockRequest> locks = new LinkedHashSet<>(0);

    private FileCore(Loop loop, FileHandle handle, Path path, Set<? extends OpenOption> options) {
        this.loop = loop;
        this.handle = handle;
        this.path = path.toString();
        appends = options.contains(StandardOpenOption.APPEND);
        writable = appends || options.contains(StandardOpenOption.WRITE);
        readable = !writable || options.contains(StandardOpenOption.READ);
        seekable = handle.isSeekable();
        workers = seekable ? Workers.FILES : Workers.DEVICES;
        reads = new CallQueue(loop, this.path);
        writes = seekable ? reads : new CallQueue(loop, this.path);
        reading = new Reading(this, reads);
        use = new HandleUse(this);
    }

    /** See {@link org.trueasync.io.AsyncFile#open}. */
    public static FileCore open(
            Path path,
            Set<? extends OpenOption> options,
            FileAttribute<?>[] attributes,
            @Nullable Completable<?> token) {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(attributes, "attributes");
        Set<OpenOption> all = Set.copyOf(Objects.requireNonNull(options, "options"));
        Opening.check(path, all);
        Runtimes.currentCoroutine("AsyncFile.open");
        Loop loop = Runtimes.here("AsyncFile.open");
        var file = new FileCore(loop, Opening.open(loop, path, all, attributes.clone(), token), path, all);
        OpenFiles.add(loop, file);
        file.watch();
        return file;
    }

    private static final class ClosedFlag {
        volatile boolean closed;
    }

    /** Arranges that the file is closed and reported if the program loses it without closing it. */
    private void watch() {
        ClosedFlag flag = closedFlag;
        FileHandle itsHandle = handle;
        Loop itsLoop = loop;
        LeakedHandle.watch(
                this,
                loop,
                "file",
                path,
                () -> flag.closed,
                () -> Opening.discard(itsLoop, itsHandle),
                () -> Opening.discard(itsHandle));
    }

    // ---- reading

    /**
     * See {@link org.trueasync.io.AsyncFile#read(ByteBuffer)}.
     *
     * @param at where to read; -1 for the file's own position, which moves
     */
    public int read(ByteBuffer into, long at, @Nullable Completable<?> token) {
        requireLoopThread("read");
        Objects.requireNonNull(into, "into");
        Awaiting.admit(token);
        requireReadable(into);
        reads.enter(token);
        try {
            int count = seekable ? reading.at(into, at < 0 ? position : at, token) : reading.next(into, token);
            if (at < 0) moved(count);
            return count;
        } finally {
            reads.leave();
        }
    }

    private void requireReadable(ByteBuffer into) {
        if (!readable) throw refused("read from", "was opened to be written only");
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    "read from " + path + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException("read from " + path + " needs a buffer with room, got " + into);
        requireOpen("read from");
    }

    private void moved(int count) {
        if (count > 0) position += count;
        end = count < 0;
    }

    /** See {@link org.trueasync.io.AsyncFile#tryRead(ByteBuffer)}. */
    public int tryRead(ByteBuffer into) {
        requireLoopThread("tryRead");
        Objects.requireNonNull(into, "into");
        requireReadable(into);
        if (reads.isBusy()) return 0;
        int count = reading.now(into, seekable ? position : -1);
        if (count == FileHandle.NOT_NOW) return 0;
        moved(count);
        return count;
    }

    /** As {@link #read} at a given position, without checks of the arguments. */
    int readInTurn(ByteBuffer into, long at, @Nullable Completable<?> token) {
        return inTurn(reads, token, queue -> reading.at(into, at, token));
    }

    // ---- writing

    /**
     * See {@link org.trueasync.io.AsyncFile#write(ByteBuffer...)}.
     *
     * @param at where to write; -1 for the file's own position, which moves
     */
    public void write(ByteBuffer[] from, long at, @Nullable Completable<?> token) {
        requireLoopThread("write");
        ByteBuffer[] buffers = from.clone();
        for (ByteBuffer buffer : buffers) Objects.requireNonNull(buffer, "from");
        Awaiting.admit(token);
        if (!writable) throw refused("write to", "was opened to be read only");
        requireOpen("write to");
        writes.enter(token);
        try {
            boolean movesPosition = at < 0;
            long next = movesPosition ? position : at;
            var writing = new FileWriting(this, writes, buffers, movesPosition);
            long bytesLeft = FileWriting.remaining(buffers);
            while (bytesLeft > 0) {
                requireOpen("write to");
                next += writing.next(bytesLeft, appends || !seekable ? -1 : next, token);
                bytesLeft = FileWriting.remaining(buffers);
                if (bytesLeft > 0) loop.shareLoop(Reading.CHUNK_COUNTS);
            }
        } finally {
            writes.leave();
        }
    }

    /** Moves the file's own position by bytes that were written at it. */
    void movePosition(int bytes) {
        position += bytes;
    }

    // ---- position and size

    /** See {@link org.trueasync.io.AsyncFile#position()}. */
    public long position() {
        requireLoopThread("position");
        requireOpen("ask for the position of");
        return position;
    }

    /** See {@link org.trueasync.io.AsyncFile#seek(long)}. */
    public void seek(long to) {
        requireLoopThread("seek");
        if (to < 0) throw new IllegalArgumentException("position in " + path + " must be >= 0, got " + to);
        requireOpen("seek in");
        requirePositions("seek in");
        reads.enter(null);
        try {
            requireOpen("seek in");
            position = to;
            end = false;
        } finally {
            reads.leave();
        }
    }

    /** Moves the position forward, not beyond the end of the file; returns by how many bytes. Suspends. */
    long skip(long count) {
        long size = size();
        reads.enter(null);
        try {
            requireOpen("seek in");
            long skipped = Math.max(0, Math.min(count, size - position));
            position += skipped;
            return skipped;
        } finally {
            reads.leave();
        }
    }

    /** See {@link org.trueasync.io.AsyncFile#isEof()}. */
    public boolean isEof() {
        requireLoopThread("isEof");
        return end;
    }

    /** See {@link org.trueasync.io.AsyncFile#size()}. */
    public long size() {
        return call("size", "ask for the size of", handle::size, null);
    }

    /** See {@link org.trueasync.io.AsyncFile#status()}. */
    public FileHandle.Status status() {
        return call("status", "ask for the status of", handle::status, null);
    }

    /** See {@link org.trueasync.io.AsyncFile#truncate(long)}. */
    public void truncate(long size) {
        if (size < 0) throw new IllegalArgumentException("size of " + path + " must be >= 0, got " + size);
        requireLoopThread("truncate");
        if (!writable) throw refused("truncate", "was opened to be read only");
        call(
                "truncate",
                "truncate",
                () -> {
                    handle.truncate(size);
                    return true;
                },
                null);
    }

    /** See {@link org.trueasync.io.AsyncFile#sync(boolean)}. */
    public void sync(boolean metadata, @Nullable Completable<?> token) {
        call(
                "sync",
                "sync",
                () -> {
                    handle.sync(metadata);
                    return true;
                },
                token);
    }

    /** See {@link org.trueasync.io.AsyncFile#flush()}. */
    public void flush(@Nullable Completable<?> token) {
        requireLoopThread("flush");
        Awaiting.admit(token);
        requireOpen("flush");
        writes.enter(token);
        writes.leave();
    }

    private <T> T call(String name, String operation, Callable<T> call, @Nullable Completable<?> token) {
        requireLoopThread(name);
        Awaiting.admit(token);
        requireOpen(operation);
        return inTurn(writes, token, queue -> {
            requireOpen(operation);
            return Objects.requireNonNull(new FileCall<T>(this, queue, operation + " " + path, call).make(token));
        });
    }

    /** An action of the caller during its turn in a queue. */
    interface InTurn<T> {
        T run(CallQueue queue);
    }

    private static <T> T inTurn(CallQueue queue, @Nullable Completable<?> token, InTurn<T> body) {
        queue.enter(token);
        try {
            return body.run(queue);
        } finally {
            queue.leave();
        }
    }

    // ---- sending

    /** See {@link org.trueasync.io.AsyncFile#sendTo}. */
    public long sendTo(StreamCore target, long from, long count, @Nullable Completable<?> token) {
        FileSending sending = sending(from, count, token);
        target.writeInTurn(sending::sendDirect, token);
        return sending.sent();
    }

    /** As {@link #sendTo(StreamCore, long, long, Completable)}, to any target. */
    public long sendTo(FileSending.Target target, long from, long count, @Nullable Completable<?> token) {
        FileSending sending = sending(from, count, token);
        sending.through(target);
        return sending.sent();
    }

    private FileSending sending(long from, long count, @Nullable Completable<?> token) {
        requireLoopThread("sendTo");
        if (count < 0) throw new IllegalArgumentException("send from " + path + ": count must be >= 0, got " + count);
        Awaiting.admit(token);
        requirePosition("send from", from);
        if (!readable) throw refused("send from", "was opened to be written only");
        requireOpen("send from");
        return new FileSending(this, from, count, token);
    }

    long sendInTurn(InTurn<Long> send, @Nullable Completable<?> token) {
        return inTurn(reads, token, queue -> {
            requireOpen("send from");
            return send.run(queue);
        });
    }

    // ---- locks

    /**
     * See {@link org.trueasync.io.AsyncFile#lock(long, long, boolean)}.
     *
     * @param waits false: returns null if another lock excludes it
     */
    public @Nullable LockRequest lock(
            long from, long size, boolean shared, boolean waits, @Nullable Completable<?> token) {
        requireLoopThread("lock");
        if (from < 0 || size <= 0)
            throw new IllegalArgumentException(
                    "lock of " + path + " needs a position >= 0 and a size > 0, got " + from + " and " + size);
        Awaiting.admit(token);
        requireOpen("lock");
        requirePositions("lock");
        if (shared && !readable) throw refused("lock", "was opened to be written only, so a lock can't be shared");
        if (!shared && !writable) throw refused("lock", "was opened to be read only, so a lock must be shared");
        Runtimes.currentCoroutine("AsyncFile.lock");
        var request = new LockRequest(this, from, size, shared);
        locks.add(request);
        use.begins();
        if (!waits) return request.tryLock(token) ? request : null;
        request.lock(token);
        return request;
    }

    /** Removes a request whose lock is released, or that was given up. */
    void released(LockRequest request) {
        if (locks.remove(request)) use.ends();
    }

    /** Unlocks what no lock relies on any more. Returns at once. Any thread. */
    void unlock(LockedParts.Range range) {
        try {
            handle.unlock(range.start(), range.size());
        } catch (InputOutputException e) {
            // it stays locked until the file is closed
        }
    }

    // ---- the end

    /** See {@link org.trueasync.io.AsyncFile#close()}. */
    public void close() {
        if (closedFlag.closed) return;
        requireLoopThread("close");
        use.begins();
        closedFlag.closed = true;
        OpenFiles.remove(loop, this);
        var error = new InputOutputException(path + " was closed while waiting on it", "");
        reads.fail(error);
        if (writes != reads) writes.fail(error);
        try {
            Throwing.forEach(List.copyOf(locks), lock -> lock.fail(error));
        } finally {
            use.fileClosed();
        }
    }

    /** Closes the file of a run that has ended. No coroutine of it runs any more. */
    void runEnded() {
        close();
        Throwing.forEach(List.copyOf(locks), LockRequest::runEnded);
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closedFlag.closed;
    }

    // ---- checks

    /** Throws unless called on the thread of the file's loop. */
    public void requireLoopThread(String call) {
        loop.requireLoopThread(call);
    }

    void requireOpen(String operation) {
        if (closedFlag.closed) throw new InputOutputException(operation + " " + path + ": the file is closed", "EBADF");
    }

    /**
     * Throws if a position is negative or the file has no positions.
     *
     * @param operation for the message, with a preposition
     * @param at must be >= 0
     * @return the position
     */
    public long requirePosition(String operation, long at) {
        if (at < 0) throw new IllegalArgumentException(operation + " " + path + ": position must be >= 0, got " + at);
        requirePositions(operation);
        return at;
    }

    private void requirePositions(String operation) {
        if (!seekable)
            throw new InputOutputException(
                    operation + " " + path + ": ESPIPE (it is no regular file and has no positions)", "ESPIPE");
    }

    private InputOutputException refused(String operation, String why) {
        return new InputOutputException(operation + " " + path + ": it " + why, "EBADF");
    }

    /** True if the file has positions, as a regular file has. */
    public boolean isSeekable() {
        return seekable;
    }

    boolean isReadable() {
        return readable;
    }

    boolean isWritable() {
        return writable;
    }

    /** The path that was given to {@link #open}. */
    public String path() {
        return path;
    }
}
