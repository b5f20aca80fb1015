package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.StreamHandle;

/** One coroutine's wait for bytes. The stream uses the object again for the next one. */
final class ReadRequest extends IoRequest {
    private final StreamCore stream;
    private final StreamHandle handle;
    private @Nullable ByteBuffer into;
    private int count;

    ReadRequest(StreamCore stream, Loop loop, StreamHandle handle) {
        super(loop, "read from " + stream.peer());
        this.stream = stream;
        this.handle = handle;
    }

    void prepare(ByteBuffer buffer) {
        renew();
        into = buffer;
        count = 0;
    }

    @Override
    protected void armSource() {
        stream.waits(this, handle);
    }

    @Override
    protected void disarmSource() {
        stream.leaves(this);
    }

    /** Takes what fits and ends. */
    void fill(ByteBuffer bytes) {
        ByteBuffer target = into;
        if (target == null) return;
        Throwable refused = null;
        try {
            count = move(bytes, target);
        } catch (RuntimeException e) {
            refused = e; // the caller's buffer is unusable: its memory was freed meanwhile
        }
        complete(refused);
    }

    void atEnd() {
        count = -1;
        complete(null);
    }

    /** What it got: bytes, or -1 for the end. */
    int count() {
        return count;
    }

    /** Takes back what was put into the caller's buffer, because the caller will not learn of it. */
    ByteBuffer taken() {
        ByteBuffer target = java.util.Objects.requireNonNull(into);
        ByteBuffer bytes = target.slice(target.position() - count, count);
        target.position(target.position() - count);
        count = 0;
        return bytes;
    }

    /** Moves as much as there is room for. */
    static int move(ByteBuffer from, ByteBuffer to) {
        int length = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), length);
        to.position(to.position() + length);
        from.position(from.position() + length);
        return length;
    }
}
