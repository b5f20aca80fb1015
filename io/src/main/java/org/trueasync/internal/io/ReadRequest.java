package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.StreamHandle;

/** One coroutine's wait for bytes. The stream uses the object again for a later read. */
final class ReadRequest extends IoRequest {
    private final StreamCore stream;
    private final StreamHandle handle;
    private @Nullable ByteBuffer into;
    /** Gives a buffer when there are bytes, if there is none yet. */
    private @Nullable IntFunction<ByteBuffer> buffers;

    private int count;

    ReadRequest(StreamCore stream, Loop loop, StreamHandle handle) {
        super(loop, "read from " + stream.peer());
        this.stream = stream;
        this.handle = handle;
    }

    /** Of the buffer and the function one is null. */
    void prepare(@Nullable ByteBuffer buffer, @Nullable IntFunction<ByteBuffer> later) {
        renew();
        into = buffer;
        buffers = later;
        count = 0;
    }

    @Override
    protected void armSource() {
        stream.addReader(this, handle);
    }

    @Override
    protected void disarmSource() {
        stream.removeReader(this);
    }

    /** Copies what fits into the reader's buffer and ends the wait. */
    void fill(ByteBuffer bytes) {
        Throwable refused = null;
        try {
            if (into == null) into = stream.room(buffers, bytes.remaining());
            count = move(bytes, into);
        } catch (Throwable e) {
            refused = e; // the memory of the reader's buffer was freed meanwhile, or there is none
        }
        complete(refused);
    }

    void atEnd() {
        count = -1;
        complete(null);
    }

    /** Bytes read; -1 at the end of the stream. */
    int count() {
        return count;
    }

    /** As {@link #count}; forgets the buffer. */
    int finish() {
        into = null;
        buffers = null;
        return count;
    }

    /**
     * Takes the bytes back out of the reader's buffer, because the read throws and its caller does not learn of them.
     */
    ByteBuffer takeBack() {
        ByteBuffer target = java.util.Objects.requireNonNull(into);
        ByteBuffer bytes = target.slice(target.position() - count, count);
        target.position(target.position() - count);
        count = 0;
        return bytes;
    }

    /**
     * Copies as many bytes as fit and moves both positions; returns their number. If {@code to} can't be written to,
     * throws and moves neither.
     */
    static int move(ByteBuffer from, ByteBuffer to) {
        int length = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), length);
        to.position(to.position() + length);
        from.position(from.position() + length);
        return length;
    }
}
