package org.trueasync.internal.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.trueasync.internal.await.Offload;

/**
 * An output stream that suspends only the coroutine that writes. On a loop, a helper thread writes a copy of the bytes;
 * on any other thread the writer does, as before. A write that has begun goes on although its writer was cancelled; the
 * next writer waits for its end, and gets its error if there was one.
 *
 * <p>Any thread. Writes follow one another whole.
 */
final class HelpedOutput extends OutputStream {
    private final OutputStream real;
    private final HelpedCalls writes;

    /**
     * Wraps a stream.
     *
     * @param real the stream that blocks; from now on used through this object only
     * @param name for reports
     */
    HelpedOutput(OutputStream real, String name) {
        this.real = real;
        this.writes = new HelpedCalls(real, "write to", name);
    }

    /** See {@link HelpedCalls#tryEnter}. */
    boolean tryEnter() {
        return writes.tryEnter();
    }

    /** Ends a turn. */
    void leave() {
        writes.leave();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) return;
        boolean inTurn = writes.enter();
        try {
            writeInTurn(bytes, offset, length);
        } finally {
            if (inTurn) writes.leave();
        }
    }

    /** Writes all bytes. The caller has the turn, or goes on out of turn, see {@link HelpedCalls#enter}. */
    void writeInTurn(byte[] bytes, int offset, int length) throws IOException {
        Offload mine = begin();
        if (Offload.isNeeded()) {
            haveWritten(mine, Arrays.copyOfRange(bytes, offset, offset + length));
            return;
        }
        try {
            real.write(bytes, offset, length);
        } finally {
            writes.ended(mine);
        }
    }

    /** Begins a call. First waits until the call under way has ended, whose writer may have left. */
    private Offload begin() throws IOException {
        while (true) {
            Offload theirs;
            synchronized (writes) {
                writes.requireOpen();
                writes.throwFailure();
                theirs = writes.underWay();
                if (theirs == null) return writes.begin();
            }
            theirs.await();
        }
    }

    private void haveWritten(Offload mine, byte[] copy) throws IOException {
        writes.help(mine, () -> real.write(copy));
        synchronized (writes) {
            writes.throwFailure();
            if (writes.underWay() == mine) throw new IOException("Stream closed");
        }
    }

    @Override
    public void flush() throws IOException {
        boolean inTurn = writes.enter();
        try {
            Offload mine = begin();
            try {
                real.flush();
            } finally {
                writes.ended(mine);
            }
        } finally {
            if (inTurn) writes.leave();
        }
    }

    /**
     * Closes at once; waiting writers get an error. A write that a helper thread is making ends when the other side
     * does something.
     */
    @Override
    public void close() throws IOException {
        writes.close();
    }
}
