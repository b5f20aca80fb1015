package org.trueasync.internal.streams;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.trueasync.internal.await.Offload;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A stream that only the reader waits for. On a loop a helper thread makes the read that may block; on every other thread the reader itself does, as
 * before. Nothing is read that nobody has asked for, and what a cancelled reader did not take is the next one's.
 *
 * <p>Any thread. Reads follow one another in the order of the calls; one whose reader has left is waited for by the next.
 */
final class HelpedInput extends InputStream {
    /** The most that a helper reads at once. */
    private static final int MOST = 1 << 16;

    /** How long bytes may take from the pipe through the helper to us. */
    private static final long LAST_BYTES_MILLIS = 500;

    private static final byte[] NOTHING = {};

    private final InputStream real;
    private final BooleanSupplier writerHasGone;
    private final HelpedCalls reads;

    // Guarded by the monitor of the reads.
    private byte[] kept = NOTHING;
    private int from;
    private boolean atEnd;

    /**
     * Over a stream that nobody else uses from now on.
     *
     * @param real what blocks
     * @param name for reports
     * @param writerHasGone true if nothing more will be written, so that a read that is under way will end
     */
    HelpedInput(InputStream real, String name, BooleanSupplier writerHasGone) {
        this.real = real;
        this.writerHasGone = writerHasGone;
        this.reads = new HelpedCalls(real, "read", name);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) return 0;
        boolean onLoop = Offload.isNeeded();
        Loop here = onLoop ? Runtimes.hereOrNull() : null;
        boolean othersTurn = here != null && here.isOthersTurn();
        boolean inTurn = reads.enter();
        int count;
        try {
            count = readInTurn(into, offset, length, onLoop);
        } finally {
            if (inTurn) reads.leave();
        }
        if (here != null && othersTurn) here.giveWay();
        return count;
    }

    private int readInTurn(byte[] into, int offset, int length, boolean onLoop) throws IOException {
        while (true) {
            Offload theirs;
            Offload mine = null;
            synchronized (reads) {
                reads.requireOpen();
                if (from < kept.length) return take(into, offset, length);
                reads.throwFailure();
                if (takeEnd()) return -1;
                theirs = reads.underWay();
                if (theirs == null) mine = reads.begin();
            }
            if (mine == null) Objects.requireNonNull(theirs).await();
            else if (!onLoop) return readHere(mine, into, offset, length);
            else if (hasBytes(mine)) return readHere(mine, into, offset, Math.min(length, MOST));
            else haveRead(mine, Math.min(length, MOST));
        }
    }

    private int take(byte[] into, int offset, int length) {
        int count = Math.min(length, kept.length - from);
        System.arraycopy(kept, from, into, offset, count);
        from += count;
        if (from == kept.length) {
            kept = NOTHING;
            from = 0;
        }
        return count;
    }

    /** Told once: the end of a terminal's input is not for ever. */
    private boolean takeEnd() {
        boolean ended = atEnd;
        atEnd = false;
        return ended;
    }

    /** True if a read would not block. */
    private boolean hasBytes(Offload mine) throws IOException {
        try {
            return real.available() > 0;
        } catch (Throwable e) {
            reads.ended(mine);
            throw e;
        }
    }

    private int readHere(Offload mine, byte[] into, int offset, int length) throws IOException {
        try {
            return real.read(into, offset, length);
        } finally {
            reads.ended(mine);
        }
    }

    /** A helper reads; whoever looks first when it has ended gets what it brought, usually the caller. */
    private void haveRead(Offload mine, int length) {
        reads.help(mine, () -> {
            byte[] bytes = new byte[length];
            int count = real.read(bytes, 0, length);
            synchronized (reads) {
                if (count < 0) atEnd = true;
                else kept = count == length ? bytes : Arrays.copyOf(bytes, count);
            }
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>While a read is under way there is nothing more than what is kept. But after the writer's end the JDK asks, to save the rest before it closes: the
     * read that is under way has it, or will never end because somebody else has the pipe open.
     */
    @Override
    public int available() throws IOException {
        while (true) {
            Offload theirs;
            Offload mine = null;
            int here;
            synchronized (reads) {
                reads.requireOpen();
                here = kept.length - from;
                theirs = reads.underWay();
                if (theirs == null) mine = reads.begin();
            }
            if (mine != null) {
                try {
                    return here + real.available();
                } finally {
                    reads.ended(mine);
                }
            }
            if (Offload.isNeeded() || !writerHasGone.getAsBoolean()) return here;
            if (!Objects.requireNonNull(theirs).ends(LAST_BYTES_MILLIS)) return here;
        }
    }

    /** Closes at once; whoever reads gets an error. A read of a helper that is under way ends when the other side does something. */
    @Override
    public void close() throws IOException {
        reads.close();
    }
}
