package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** What a coroutine may do with a stream while it has the turn to write. */
public final class Writing {
    private final StreamCore core;
    private final @Nullable Completable<?> token;

    Writing(StreamCore core, @Nullable Completable<?> token) {
        this.core = core;
        this.token = token;
    }

    /**
     * Returns the handle. Writes of earlier turns are sent.
     *
     * @throws InputOutputException if the stream is closed
     */
    public StreamHandle handle() {
        return core.requireOpen("write to");
    }

    /**
     * Writes the whole buffer, as part of the turn; suspends.
     *
     * @param bytes position moves to limit
     */
    public void write(ByteBuffer bytes) {
        core.writeAll(bytes, token);
    }

    /**
     * Marks a write that does not go through this class as under way; the next writer waits until it is over, even if
     * this turn ends earlier.
     */
    public void writesElsewhere() {
        core.underWay = new SubmittedRequest(core.loop, "write to " + core.peer());
    }

    /**
     * Ends the write that {@link #writesElsewhere} began.
     *
     * @param failure why it failed, or null
     * @return what to throw, null if it did not fail: the stream's own error if the connection is lost, else
     *     {@code failure}
     */
    public @Nullable InputOutputException wroteElsewhere(@Nullable InputOutputException failure) {
        SystemError error = failure == null ? null : ConnectionLoss.named(failure.errno());
        InputOutputException own = error == null ? failure : core.error("write to", error);
        core.onWritten(null);
        return own;
    }
}
