package org.trueasync.internal.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import org.trueasync.InputOutputException;

/**
 * Streams and channels of the JDK's kinds over something that coroutines read and write; errors become {@link IOException}s, as their callers expect.
 * What a kind of thing can do beyond that is added by its own class.
 */
public abstract class Views {
    /** Nothing to set up. */
    protected Views() {}

    /**
     * Reads; suspends.
     *
     * @param into with room
     * @return bytes read, or -1 at the end
     */
    protected abstract int readSome(ByteBuffer into);

    /**
     * Writes all of it; suspends.
     *
     * @param from position moves to limit
     */
    protected abstract void writeAll(ByteBuffer from);

    /** Closes what is under the views. */
    protected abstract void closeCore();

    /** True after that. */
    protected abstract boolean isClosed();

    /**
     * Fails unless called on the thread of the loop.
     *
     * @param call its name
     */
    protected abstract void requireLoopThread(String call);

    /**
     * The exception as callers of the JDK's kinds expect it.
     *
     * @param e ours
     */
    protected static IOException converted(InputOutputException e) {
        return new IOException(e.getMessage(), e);
    }

    private int read(ByteBuffer into) throws IOException {
        if (!into.hasRemaining()) {
            requireLoopThread("read");
            return 0;
        }
        try {
            return readSome(into);
        } catch (InputOutputException e) {
            throw converted(e);
        }
    }

    private void write(ByteBuffer from) throws IOException {
        try {
            writeAll(from);
        } catch (InputOutputException e) {
            throw converted(e);
        }
    }

    private void close() throws IOException {
        try {
            closeCore();
        } catch (InputOutputException e) {
            throw converted(e);
        }
    }

    /** Reads from it. */
    protected class Input extends InputStream {
        private final byte[] one = new byte[1];

        /** From where the core is. */
        public Input() {}

        @Override
        public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return Views.this.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void close() throws IOException {
            Views.this.close();
        }
    }

    /** Writes to it. */
    protected class Output extends OutputStream {
        /** From where the core is. */
        public Output() {}

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Views.this.write(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void flush() {
            requireLoopThread("flush");
        }

        @Override
        public void close() throws IOException {
            Views.this.close();
        }
    }

    /** Does both. */
    protected class Channel implements ByteChannel {
        /** From where the core is. */
        public Channel() {}

        /** As every call of a channel that has been closed. */
        protected final void requireOpen() throws ClosedChannelException {
            if (isClosed()) throw new ClosedChannelException();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            requireOpen();
            return Views.this.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            requireOpen();
            int length = from.remaining();
            Views.this.write(from);
            return length;
        }

        @Override
        public boolean isOpen() {
            return !isClosed();
        }

        @Override
        public void close() throws IOException {
            Views.this.close();
        }
    }
}
