package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.FileHandle;

/**
 * Reads a file for the coroutine that has the turn. What the system has in memory is copied on the loop thread, into
 * the caller's buffer; the rest is read by a {@link FileCall}. If the coroutine has left, bytes that its call reads
 * from a file without positions are kept for the next reader.
 */
final class Reading {
    /** Bytes copied from the system's memory at once, at most; more would block the loop for long. */
    private static final int MAX_CHUNK = 256 * 1024;
    /** How many calls such a chunk counts as, see {@link org.trueasync.internal.kernel.Loop#shareLoop(int)}. */
    static final int CHUNK_COUNTS = 16;

    private final FileCore file;
    private final CallQueue queue;
    /** What the call of a coroutine that had left has read; empty for the end of the file, null if there is nothing. */
    private @Nullable ByteBuffer kept;

    Reading(FileCore file, CallQueue queue) {
        this.file = file;
        this.queue = queue;
    }

    /** Reads from a position until the buffer is full or the file ends. Returns bytes read; -1 at the end. */
    int at(ByteBuffer into, long at, @Nullable Completable<?> token) {
        int start = into.position();
        boolean done = false;
        try {
            fill(into, at, token);
            done = true;
        } catch (InputOutputException e) {
            // The caller gets the bytes before the error; its next read meets the error again.
            if (file.isClosed() || into.position() == start) throw e;
            done = true;
        } finally {
            if (!done) into.position(start);
        }
        int count = into.position() - start;
        return count == 0 ? -1 : count;
    }

    private void fill(ByteBuffer into, long at, @Nullable Completable<?> token) {
        while (true) {
            file.requireOpen("read from");
            int count = atOnce(into, at);
            int wanted = 0;
            if (count == FileHandle.NOT_NOW) {
                wanted = Math.min(into.remaining(), BounceBuffers.LARGE);
                count = new Call(into, at).bytes(token);
            }
            if (count < 0 || count < wanted || !into.hasRemaining()) return;
            at += count;
            file.loop.shareLoop(CHUNK_COUNTS);
        }
    }

    /** Reads what comes next from a file without positions. Returns bytes read; -1 at the end. */
    int next(ByteBuffer into, @Nullable Completable<?> token) {
        file.requireOpen("read from");
        int count = now(into, -1);
        return count == FileHandle.NOT_NOW ? new Call(into, -1).bytes(token) : count;
    }

    /** Reads what is there without waiting; {@link FileHandle#NOT_NOW} if nothing is. Does not suspend. */
    int now(ByteBuffer into, long at) {
        ByteBuffer earlier = kept;
        return earlier != null ? takeKept(into, earlier) : atOnce(into, at);
    }

    private int takeKept(ByteBuffer into, ByteBuffer earlier) {
        int count = Math.min(into.remaining(), earlier.remaining());
        into.put(into.position(), earlier, earlier.position(), count).position(into.position() + count);
        earlier.position(earlier.position() + count);
        if (!earlier.hasRemaining()) kept = null;
        return count == 0 ? -1 : count;
    }

    private int atOnce(ByteBuffer into, long at) {
        int limit = into.limit();
        into.limit(into.position() + Math.min(into.remaining(), MAX_CHUNK));
        try {
            return file.handle.readNow(into, at);
        } finally {
            into.limit(limit);
        }
    }

    private final class Call extends FileCall<Integer> {
        private final ByteBuffer into;
        private final ByteBuffer bytes;

        Call(ByteBuffer into, long at) {
            ByteBuffer memory = BounceBuffers.take(into.remaining());
            super(file, queue, "read from " + file.path(), () -> file.handle.read(memory, at));
            this.into = into;
            this.bytes = memory;
        }

        int bytes(@Nullable Completable<?> token) {
            return Objects.requireNonNull(make(token));
        }

        @Override
        void ended(@Nullable Integer count, boolean claimed) {
            if (count != null && claimed && count > 0) into.put(bytes.flip());
            else if (count != null && !claimed && !file.seekable) keep(count);
            BounceBuffers.give(bytes);
        }

        /** Keeps what the call has read; an empty buffer stands for the end. */
        private void keep(int count) {
            kept = ByteBuffer.allocate(Math.max(count, 0)).put(bytes.flip()).flip();
        }
    }
}
