package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** What a layer over a stream, TLS for instance, does with the stream beyond reading and writing. */
public final class Underlay {
    private static final int DISCARD_CHUNK = 16 * 1024;
    /**
     * Chunks that are discarded, at most: somewhat more than the system's receive buffer holds. The limit ends the loop
     * if the peer keeps sending.
     */
    private static final int MAX_DISCARDED_CHUNKS = 64;

    private final StreamCore core;

    /**
     * Puts a layer over a stream.
     *
     * @param core from now on used by the layer only
     */
    public Underlay(StreamCore core) {
        this.core = core;
    }

    /** The stream. */
    public StreamCore core() {
        return core;
    }

    /**
     * Throws if coroutines are reading or writing: their bytes would mix with those of the layer.
     *
     * @param by what is about to take the stream over
     */
    public void requireUnused(String by) {
        if (core.isInUse())
            throw new AsyncException(by + " over the stream to " + core.peer()
                    + " can't begin while a coroutine reads from it or writes to it; end that first");
    }

    /**
     * Returns a stream for its previous users that refuses every call.
     *
     * @param reason why, and what to do instead
     */
    public StreamCore refused(String reason) {
        var refusing = new StreamCore(core.loop);
        refusing.takenOver(core.peer(), reason);
        return refusing;
    }

    /**
     * Writes without waiting, if no coroutine has the turn to write and no chunk is under way. Bytes that the system
     * does not take at once are sent later; the next writer waits for them.
     *
     * @param bytes position moves to limit; unchanged if the result is false
     * @return false if another write is under way
     * @throws InputOutputException if the system refuses
     */
    public boolean writeAside(ByteBuffer bytes) {
        if (core.writers.isTaken() || core.underWay != null) return false;
        StreamHandle to = core.requireOpen("write to");
        SystemError refused = to.tryWrite(bytes);
        if (refused != null) throw core.error("write to", refused);
        if (bytes.hasRemaining()) {
            core.underWay =
                    new SubmittedRequest(core.loop, "write of " + bytes.remaining() + " bytes to " + core.peer());
            to.write(bytes);
        }
        return true;
    }

    /** True if {@link #writeAside} would write. */
    public boolean isIdle() {
        return !core.writers.isTaken() && core.underWay == null;
    }

    /**
     * Reads what has come in already and throws it away. If a socket is closed with bytes unread, the system resets the
     * connection, and the peer may lose the last bytes that were sent to it.
     */
    public void discardReceived() {
        ByteBuffer into = ByteBuffer.allocate(DISCARD_CHUNK);
        try {
            int chunks = 0;
            while (chunks < MAX_DISCARDED_CHUNKS && core.tryRead(into.clear()) > 0) chunks++;
        } catch (InputOutputException lost) {
            // the connection is lost, so there is nothing to protect
        }
    }

    /**
     * Closes the stream: all calls on it fail at once. If the caller can suspend, it first waits until the chunk under
     * way is sent, and closes the handle then.
     *
     * @param limit how long it waits, at most
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the stream is closed all the same
     */
    public void closeWhenSent(Duration limit) {
        SubmittedRequest last = core.underWay;
        StreamHandle handle = core.handle;
        if (core.isClosed() || last == null || handle == null || !core.loop.maySuspend()) {
            core.close();
            return;
        }
        core.closed = true;
        InputOutputException error = core.closedMeanwhile();
        core.failWaits(error);
        try {
            last.await(core.loop.timers().timeout(limit));
        } catch (OperationCanceledException | InputOutputException tooSlow) {
            // the peer sees it: its stream ends after what the system has sent
        } finally {
            handle.close();
            last.complete(error);
        }
    }
}
