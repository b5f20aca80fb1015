package org.trueasync.internal.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import java.util.Objects;
import org.trueasync.InputOutputException;

/** Streams and channels of the JDK's kinds over a {@link StreamCore}; errors become {@link IOException}s, as their callers expect. */
public final class StreamViews {
    private StreamViews() {}

    /** See {@link org.trueasync.io.ByteStream#inputStream}. */
    public static InputStream input(StreamCore core) {
        return new InputStream() {
            private final byte[] one = new byte[1];

            @Override
            public int read() throws IOException {
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return StreamViews.read(core, ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public int available() {
                core.requireLoopThread("available");
                return 0;
            }

            @Override
            public void close() {
                core.close();
            }
        };
    }

    /** See {@link org.trueasync.io.ByteStream#outputStream}. */
    public static OutputStream output(StreamCore core) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                StreamViews.write(core, ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public void flush() {
                core.requireLoopThread("flush");
            }

            @Override
            public void close() {
                core.close();
            }
        };
    }

    /** See {@link org.trueasync.io.ByteStream#channel}. */
    public static ByteChannel channel(StreamCore core) {
        return new Channel(core);
    }

    private record Channel(StreamCore core) implements ByteChannel, GatheringByteChannel {
        @Override
        public int read(ByteBuffer into) throws IOException {
            if (core.isClosed()) throw new ClosedChannelException();
            return StreamViews.read(core, into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (core.isClosed()) throw new ClosedChannelException();
            int length = from.remaining();
            StreamViews.write(core, from);
            return length;
        }

        @Override
        public long write(ByteBuffer[] from) throws IOException {
            return write(from, 0, from.length);
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, from.length);
            if (core.isClosed()) throw new ClosedChannelException();
            ByteBuffer[] parts = Arrays.copyOfRange(from, offset, offset + length);
            long bytes = 0;
            for (ByteBuffer part : parts) bytes += part.remaining();
            try {
                core.write(parts, null);
            } catch (InputOutputException e) {
                throw new IOException(e.getMessage(), e);
            }
            return bytes;
        }

        @Override
        public boolean isOpen() {
            return !core.isClosed();
        }

        @Override
        public void close() {
            core.close();
        }
    }

    private static int read(StreamCore core, ByteBuffer into) throws IOException {
        if (!into.hasRemaining()) {
            core.requireLoopThread("read");
            return 0;
        }
        try {
            return core.read(into, null);
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void write(StreamCore core, ByteBuffer from) throws IOException {
        try {
            core.write(from, null);
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
