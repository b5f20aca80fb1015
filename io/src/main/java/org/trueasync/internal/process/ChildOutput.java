package org.trueasync.internal.process;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * Our end of a pipe that a child writes to. The subclass takes the bytes. Reads only between {@link #startReading} and
 * {@link #stopReading}.
 */
abstract class ChildOutput implements StreamHandle.Listener {
    private final String what;
    private final Runnable changed;
    private @Nullable StreamHandle handle;
    private boolean ended;
    private @Nullable InputOutputException error;

    /**
     * Makes an end of a pipe that is not open yet.
     *
     * @param what it is, for messages
     * @param changed called in the loop's frame when bytes, the end or an error have come
     */
    ChildOutput(String what, Runnable changed) {
        this.what = what;
        this.changed = changed;
    }

    /** Sets the handle, because the child runs. */
    final void opened(@Nullable StreamHandle open) {
        handle = Objects.requireNonNull(open, "Bug in TrueAsync: a child without the pipe that was asked for");
    }

    /** True once the end has come. */
    final boolean isEnded() {
        return ended;
    }

    /** Why no more can be read, or null. */
    final @Nullable InputOutputException error() {
        return error;
    }

    final void startReading() {
        if (handle == null || ended || error != null || handle.isClosed()) return;
        SystemError refused = handle.startReading();
        if (refused != null) onReadError(refused);
    }

    final void stopReading() {
        if (handle != null) handle.stopReading();
    }

    final void close() {
        if (handle != null) handle.close();
    }

    /** Takes bytes that have come. In the loop's frame. */
    abstract void take(ByteBuffer bytes);

    @Override
    public final void onBytes(ByteBuffer bytes) {
        take(bytes);
        changed.run();
    }

    @Override
    public final void onEnd() {
        ended = true;
        close();
        changed.run();
    }

    @Override
    public final void onReadError(SystemError refused) {
        error = new InputOutputException("read " + what + ": " + refused, refused.errno());
        changed.run();
    }

    @Override
    public final void onConnected(@Nullable SystemError refused) {}

    @Override
    public final void onWritten(@Nullable SystemError refused) {}

    @Override
    public final void onShutdown(@Nullable SystemError refused) {}
}
