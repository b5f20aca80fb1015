package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;

/** Writes the next bytes of several buffers to a file, for the one whose turn it is; short writes of the system go on. */
final class Writing extends FileCall<Boolean> {
    private final FileCore file;
    private final ByteBuffer[] from;
    private final ByteBuffer bytes;
    /** Written at the file's own position. */
    private final boolean here;

    private int moved;

    /**
     * The next bytes.
     *
     * @param left how many there are
     * @param at where to; -1 for where the system writes by itself
     * @param here whether the file's own position moves
     */
    Writing(FileCore file, CallQueue line, ByteBuffer[] from, long left, long at, boolean here) {
        ByteBuffer memory = BounceBuffers.take(left);
        super(file, line, "write to " + file.path(), () -> write(file, memory, at));
        this.file = file;
        this.from = from;
        this.bytes = gather(from, memory);
        this.here = here;
    }

    /** On a helper thread. */
    private static Boolean write(FileCore file, ByteBuffer bytes, long at) {
        while (bytes.hasRemaining()) file.handle.write(bytes, at < 0 ? at : at + bytes.position());
        return true;
    }

    @Override
    void ended(@Nullable Boolean all, boolean claimed) {
        moved = bytes.position();
        if (here) file.wroteHere(moved);
        BounceBuffers.give(bytes);
        if (claimed) skip(from, moved);
    }

    /** Makes the call, and tells what the system took. */
    int bytes(@Nullable Completable<?> token) {
        make(token);
        return moved;
    }

    static long remaining(ByteBuffer[] buffers) {
        long sum = 0;
        for (ByteBuffer buffer : buffers) sum += buffer.remaining();
        return sum;
    }

    private static ByteBuffer gather(ByteBuffer[] from, ByteBuffer into) {
        for (ByteBuffer buffer : from) {
            int count = Math.min(buffer.remaining(), into.remaining());
            into.put(into.position(), buffer, buffer.position(), count).position(into.position() + count);
        }
        return into.flip();
    }

    private static void skip(ByteBuffer[] buffers, int bytes) {
        int left = bytes;
        for (ByteBuffer buffer : buffers) {
            int count = Math.min(buffer.remaining(), left);
            buffer.position(buffer.position() + count);
            left -= count;
        }
    }
}
