package org.trueasync.internal.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Errand;
import org.trueasync.internal.work.Workers;

/**
 * A stream that only the writer waits for. On a loop a helper thread writes a copy of the bytes; on every other thread the writer itself does, as
 * before. A write that has begun goes on although its writer was cancelled; whoever writes next comes after it, and gets its error if it had one.
 *
 * <p>Any thread. Writes follow one another whole.
 */
final class HelpedOutput extends OutputStream {
    private final OutputStream real;
    private final String name;

    // Guarded by this, which is never held across a write.
    private @Nullable Errand writing;
    private @Nullable IOException failure;
    private boolean closed;

    /**
     * Over a stream that nobody else uses from now on.
     *
     * @param real what blocks
     * @param name for reports
     */
    HelpedOutput(OutputStream real, String name) {
        this.real = real;
        this.name = name;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) return;
        Errand mine = inLine();
        if (Errand.isCalledFor()) {
            haveWritten(mine, Arrays.copyOfRange(bytes, offset, offset + length));
            return;
        }
        try {
            real.write(bytes, offset, length);
        } finally {
            ended(mine);
        }
    }

    /** Waits until nobody else writes. */
    private Errand inLine() throws IOException {
        while (true) {
            Errand theirs;
            synchronized (this) {
                if (closed) throw new IOException("Stream closed");
                throwFailure();
                theirs = writing;
                if (theirs == null) {
                    var mine = new Errand(name);
                    writing = mine;
                    return mine;
                }
            }
            theirs.await();
        }
    }

    private void throwFailure() throws IOException {
        IOException thrown = failure;
        if (thrown == null) return;
        failure = null;
        throw new IOException(thrown.getMessage(), thrown);
    }

    private void haveWritten(Errand mine, byte[] copy) throws IOException {
        boolean begun = false;
        try {
            Workers.BLOCKING.execute(() -> writeForOthers(mine, copy));
            begun = true;
        } finally {
            if (!begun) ended(mine);
        }
        mine.await();
        synchronized (this) {
            throwFailure();
            if (writing == mine) throw new IOException("Stream closed");
        }
    }

    private void writeForOthers(Errand mine, byte[] copy) {
        try {
            real.write(copy);
        } catch (IOException e) {
            fail(e);
        } catch (Throwable e) {
            fail(new IOException("could not write to " + name, e));
        } finally {
            ended(mine);
        }
    }

    private synchronized void fail(IOException thrown) {
        failure = thrown;
    }

    private void ended(Errand mine) {
        synchronized (this) {
            if (writing == mine) writing = null;
        }
        mine.end();
    }

    @Override
    public void flush() throws IOException {
        Errand mine = inLine();
        try {
            real.flush();
        } finally {
            ended(mine);
        }
    }

    /** Closes at once; whoever writes gets an error. A write of a helper that is under way ends when the other side does something. */
    @Override
    public void close() throws IOException {
        Errand cut;
        synchronized (this) {
            closed = true;
            cut = writing;
        }
        try {
            real.close();
        } finally {
            if (cut != null) cut.end();
        }
    }
}
