package org.trueasync.internal.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import org.trueasync.InputOutputException;

/**
 * {@code java.io} streams and {@code java.nio} channels over something that coroutines read and write. Errors become
 * {@link IOException}s, as callers of these types expect. Subclasses add what their kind of file or stream can do
 * beyond that.
 */
public abstract class Views {
    /** For subclasses. */
    protected Views() {}

    /**
     * Reads at least one byte, unless at the end; suspends.
     *
     * @param into has room
     * @return bytes read, or -1 at the end
     */
    protected abstract int readSome(ByteBuffer into);

    /**
     * Writes the whole buffer; suspends.
     *
     * @param from position moves to limit
     */
    protected abstract void writeAll(ByteBuffer from);

    /** Closes the file or stream under the views. */
    protected abstract void closeCore();

    /** True once the file or stream under the views is closed. */
    protected abstract boolean isClosed();

    /**
     * Throws unless called on the loop thread.
     *
     * @param call name of the method that was called, for the message
     */
    protected abstract void requireLoopThread(String call);

    /**
     * Returns the exception that callers of JDK types expect, with the message of the original one.
     *
     * @param e becomes its cause
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

    /** An input stream; reads suspend. */
    protected class Input extends InputStream {
        private final byte[] single = new byte[1];

        /** Starts at the current position of the core. */
        public Input() {}

        @Override
        public int read() throws IOException {
            return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
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

    /** An output stream; writes suspend. It has no buffer. */
    protected class Output extends OutputStream {
        /** Starts at the current position of the core. */
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

    /** A channel that reads and writes; both suspend. */
    protected class Channel implements ByteChannel {
        /** Starts at the current position of the core. */
        public Channel() {}

        /** Throws if the core is closed. */
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
