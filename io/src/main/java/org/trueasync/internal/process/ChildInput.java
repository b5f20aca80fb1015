package org.trueasync.internal.process;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * Our end of a pipe that a child reads: writes bytes at the child's pace, then closes. If the child stops reading, the
 * rest is dropped.
 */
final class ChildInput implements StreamHandle.Listener {
    private static final int CHUNK = 256 * 1024;

    private final ByteBuffer unsent;
    private @Nullable StreamHandle handle;

    ChildInput(ByteBuffer bytes) {
        unsent = bytes.duplicate();
    }

    /** Sets the handle, because the child runs, and begins to write. */
    void opened(@Nullable StreamHandle open) {
        handle = Objects.requireNonNull(open, "Bug in TrueAsync: a child without the pipe that was asked for");
        if (handle.tryWrite(unsent) != null) close();
        else more();
    }

    private void more() {
        StreamHandle to = handle;
        if (to == null || to.isClosed()) return;
        if (!unsent.hasRemaining()) {
            close();
            return;
        }
        int length = Math.min(unsent.remaining(), CHUNK);
        to.write(unsent.slice(unsent.position(), length));
        unsent.position(unsent.position() + length);
    }

    @Override
    public void onWritten(@Nullable SystemError error) {
        if (error == null) more();
        else close(); // EPIPE: it reads no more
    }

    void close() {
        if (handle != null) handle.close();
    }

    @Override
    public void onConnected(@Nullable SystemError error) {}

    @Override
    public void onBytes(ByteBuffer bytes) {}

    @Override
    public void onEnd() {}

    @Override
    public void onReadError(SystemError error) {}

    @Override
    public void onShutdown(@Nullable SystemError error) {}
}
