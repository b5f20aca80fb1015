package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** What something that is layered over a stream, TLS for instance, does with it beyond reading and writing. */
public final class Underlay {
    private static final int DISCARD_AT_ONCE = 16 * 1024;
    /** What a system may have received for us, and a little more: a peer that sends on and on is not followed. */
    private static final int DISCARD_AT_MOST = 64;

    private final StreamCore core;

    /**
     * Over such a stream.
     *
     * @param core nobody else uses it from now on
     */
    public Underlay(StreamCore core) {
        this.core = core;
    }

    /** The stream. */
    public StreamCore core() {
        return core;
    }

    /**
     * Fails if coroutines are reading or writing: what they read or write would be torn out of the other's bytes.
     *
     * @param by what is about to take the stream over
     */
    public void requireUnused(String by) {
        if (core.isInUse())
            throw new AsyncException(by + " over the stream to " + core.peer()
                    + " can't begin while a coroutine reads from it or writes to it; end that first");
    }

    /**
     * What the stream looks like to those who had it before: every use is refused.
     *
     * @param reason why, and the way out
     */
    public StreamCore refused(String reason) {
        var refusing = new StreamCore(core.loop);
        refusing.takenOver(core.peer(), reason);
        return refusing;
    }

    /**
     * Writes without waiting, if it is nobody's turn and nothing is under way; what the system does not take now it takes later, and whoever writes
     * next waits for that.
     *
     * @param bytes position moves to limit, or nothing is done
     * @return false if somebody is writing
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
     * Takes what has come in already and throws it away: a system that closes with bytes unread resets the connection, and the peer may lose what it
     * was sent last.
     */
    public void discardReceived() {
        ByteBuffer into = ByteBuffer.allocate(DISCARD_AT_ONCE);
        try {
            int rounds = 0;
            while (rounds < DISCARD_AT_MOST && core.tryRead(into.clear()) > 0) rounds++;
        } catch (InputOutputException lost) {
            // nothing left that could be lost
        }
    }

    /**
     * Closes for everybody at once; what is under way still goes out, where the caller can wait, for a time.
     *
     * @param atMost how long the system may need for it
     */
    public void closeWhenSent(Duration atMost) {
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
            last.await(core.loop.timers().timeout(atMost));
        } catch (OperationCanceledException | InputOutputException tooSlow) {
            // the peer finds out: its stream ends where the system was
        } finally {
            handle.close();
            last.complete(error);
        }
    }
}
