package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** What may be done while it is somebody's turn to write. */
public final class Writing {
    private final StreamCore core;
    private final @Nullable Completable<?> token;

    Writing(StreamCore core, @Nullable Completable<?> token) {
        this.core = core;
        this.token = token;
    }

    /** The handle, with no write under way. */
    public StreamHandle handle() {
        return core.requireOpen("write to");
    }

    /**
     * Writes all of it, as part of the turn; suspends.
     *
     * @param bytes position moves to limit
     */
    public void write(ByteBuffer bytes) {
        core.writeAll(bytes, token);
    }

    /** Somebody else writes to the stream from now on; who writes next waits for that, also if the turn ends before. */
    public void writesElsewhere() {
        core.underWay = new SubmittedRequest(core.loop, "write to " + core.peer());
    }

    /**
     * That is over.
     *
     * @param failure why it failed, or null
     * @return what to throw then: the stream's own error, if it is one, else the same
     */
    public @Nullable InputOutputException wroteElsewhere(@Nullable InputOutputException failure) {
        SystemError error = failure == null ? null : ConnectionLoss.named(failure.errno());
        InputOutputException own = error == null ? failure : core.error("write to", error);
        core.onWritten(null);
        return own;
    }
}
