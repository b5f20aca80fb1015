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
 * An input stream that suspends only the coroutine that reads. On a loop, a helper thread makes a read that may block;
 * on any other thread the reader does, as before. Bytes are read only on request, and those that a cancelled reader did
 * not take go to the next one.
 *
 * <p>Any thread. Reads follow one another in the order of the calls; if a reader has left, the next one waits for its
 * read.
 */
final class HelpedInput extends InputStream {
    /** Bytes that a helper thread reads at once, at most. */
    private static final int MAX_READ_SIZE = 1 << 16;

    /** How long bytes may take from the pipe through the helper thread to the reader. */
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
     * Wraps a stream.
     *
     * @param real the stream that blocks; from now on used through this object only
     * @param name for reports
     * @param writerHasGone true if the writer has ended, so that a read under way is about to end
     */
    HelpedInput(InputStream real, String name, BooleanSupplier writerHasGone) {
        this.real = real;
        this.writerHasGone = writerHasGone;
        this.reads = new HelpedCalls(real, "read", name);
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
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
            else if (hasBytes(mine)) return readHere(mine, into, offset, Math.min(length, MAX_READ_SIZE));
            else haveRead(mine, Math.min(length, MAX_READ_SIZE));
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

    /** True once for each end that was met: a terminal's input can go on after its end. */
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

    /**
     * Lets a helper thread read into {@link #kept}, and waits for it. The first reader that checks afterwards, usually
     * the caller, takes the bytes.
     */
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
     * <p>While a read is under way, only the kept bytes are available. But when the writer has ended, the JDK calls
     * this to save the rest before it closes the stream. Then this waits a little for the read under way: it has the
     * rest, or never ends because another process has the pipe open.
     */
    @Override
    public int available() throws IOException {
        while (true) {
            Offload theirs;
            Offload mine = null;
            int keptBytes;
            synchronized (reads) {
                reads.requireOpen();
                keptBytes = kept.length - from;
                theirs = reads.underWay();
                if (theirs == null) mine = reads.begin();
            }
            if (mine != null) {
                try {
                    return keptBytes + real.available();
                } finally {
                    reads.ended(mine);
                }
            }
            if (Offload.isNeeded() || !writerHasGone.getAsBoolean()) return keptBytes;
            if (!Objects.requireNonNull(theirs).ends(LAST_BYTES_MILLIS)) return keptBytes;
        }
    }

    /**
     * Closes at once; waiting readers get an error. A read that a helper thread is making ends when the other side does
     * something.
     */
    @Override
    public void close() throws IOException {
        reads.close();
    }
}
