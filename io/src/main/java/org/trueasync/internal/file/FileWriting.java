package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.spi.FileHandle;

/**
 * Writes the next bytes of several buffers to a file, for the coroutine that has the turn. What the system takes
 * without waiting for a disk is written on the loop thread, the rest by a {@link FileCall}, whose helper thread repeats
 * the system call until all its bytes are written.
 */
final class FileWriting {
    private final FileCore file;
    private final CallQueue queue;
    private final ByteBuffer[] from;
    /** True if it writes at the file's own position, which moves. */
    private final boolean movesPosition;

    /**
     * Makes a write of all bytes of the buffers.
     *
     * @param movesPosition whether it writes at the file's own position, which moves
     */
    FileWriting(FileCore file, CallQueue queue, ByteBuffer[] from, boolean movesPosition) {
        this.file = file;
        this.queue = queue;
        this.from = from;
        this.movesPosition = movesPosition;
    }

    /**
     * Writes the next bytes; returns how many the system took. Suspends for a call on a helper thread.
     *
     * @param bytesLeft in all buffers
     * @param at position in the file; -1 where the system chooses it (at the end, or a file without positions)
     */
    int next(long bytesLeft, long at, @Nullable Completable<?> token) {
        boolean now = file.seekable && file.handle.writesNow();
        ByteBuffer direct = now ? onlyDirect(from, bytesLeft) : null;
        if (direct != null) {
            int count = writeDirectNow(direct, at);
            if (count > 0) return count;
        }
        ByteBuffer memory = BounceBuffers.take(bytesLeft);
        int count = FileHandle.NOT_NOW;
        try {
            gather(from, memory);
            if (now && direct == null) count = file.handle.writeNow(memory, at);
        } finally {
            if (count > 0) BounceBuffers.give(memory);
        }
        if (count < 0) return new Call(memory, at).bytes(token);
        wrote(count);
        skip(from, count);
        return count;
    }

    private int writeDirectNow(ByteBuffer direct, long at) {
        int limit = direct.limit();
        direct.limit(direct.position() + Math.min(direct.remaining(), BounceBuffers.LARGE));
        try {
            int count = file.handle.writeNow(direct, at);
            if (count > 0) wrote(count);
            return count;
        } finally {
            direct.limit(limit);
        }
    }

    /**
     * Returns the buffer that has all bytes left, if it is direct; else null. Several buffers are copied together
     * first, so that they are one write.
     */
    private static @Nullable ByteBuffer onlyDirect(ByteBuffer[] from, long bytesLeft) {
        for (ByteBuffer buffer : from) if (buffer.remaining() == bytesLeft && buffer.isDirect()) return buffer;
        return null;
    }

    private void wrote(int bytes) {
        if (movesPosition) file.movePosition(bytes);
    }

    private final class Call extends FileCall<Boolean> {
        private final ByteBuffer bytes;
        private int moved;

        Call(ByteBuffer bytes, long at) {
            super(file, queue, "write to " + file.path(), () -> write(file, bytes, at));
            this.bytes = bytes;
        }

        @Override
        void ended(@Nullable Boolean all, boolean claimed) {
            moved = bytes.position();
            wrote(moved);
            BounceBuffers.give(bytes);
            if (claimed) skip(from, moved);
        }

        int bytes(@Nullable Completable<?> token) {
            make(token);
            return moved;
        }
    }

    /** On a helper thread. */
    private static Boolean write(FileCore file, ByteBuffer bytes, long at) {
        while (bytes.hasRemaining()) file.handle.write(bytes, at < 0 ? at : at + bytes.position());
        return true;
    }

    static long remaining(ByteBuffer[] buffers) {
        long sum = 0;
        for (ByteBuffer buffer : buffers) sum += buffer.remaining();
        return sum;
    }

    private static void gather(ByteBuffer[] from, ByteBuffer into) {
        for (ByteBuffer buffer : from) {
            int count = Math.min(buffer.remaining(), into.remaining());
            into.put(into.position(), buffer, buffer.position(), count).position(into.position() + count);
        }
        into.flip();
    }

    private static void skip(ByteBuffer[] buffers, int bytes) {
        int toSkip = bytes;
        for (ByteBuffer buffer : buffers) {
            int count = Math.min(buffer.remaining(), toSkip);
            buffer.position(buffer.position() + count);
            toSkip -= count;
        }
    }
}
