package org.trueasync.internal.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.trueasync.internal.await.Offload;

/**
 * A stream that only the writer waits for. On a loop a helper thread writes a copy of the bytes; on every other thread the writer itself does, as
 * before. A write that has begun goes on although its writer was cancelled; whoever writes next comes after it, and gets the error of that earlier write if there was one.
 *
 * <p>Any thread. Writes follow one another whole.
 */
final class HelpedOutput extends OutputStream {
    private final OutputStream real;
    private final HelpedCalls writes;

    /**
     * Over a stream that nobody else uses from now on.
     *
     * @param real what blocks
     * @param name for reports
     */
    HelpedOutput(OutputStream real, String name) {
        this.real = real;
        this.writes = new HelpedCalls(real, "write to", name);
    }

    /** Begins a turn at once, which {@link #leave} ends; false if somebody writes, or waits to. */
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

    /** In a turn of the caller's. */
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

    /** Waits until the write of somebody who has left is over. */
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

    /** Closes at once; whoever writes gets an error. A write of a helper that is under way ends when the other side does something. */
    @Override
    public void close() throws IOException {
        writes.close();
    }
}
