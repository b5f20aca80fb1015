package org.trueasync.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.trueasync.InputOutputException;

/** Streams and channels of the JDK's kinds over a {@link FileCore}; errors become {@link IOException}s, as their callers expect. */
public final class FileViews {
    private FileViews() {}

    private interface Operation<T> {
        T run();
    }

    private static <T> T io(Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static int read(FileCore core, ByteBuffer into) throws IOException {
        if (into.hasRemaining()) return io(() -> core.read(into, -1, null));
        core.requireLoopThread("read");
        return 0;
    }

    private static void write(FileCore core, ByteBuffer from) throws IOException {
        io(() -> {
            core.write(new ByteBuffer[] {from}, -1, null);
            return true;
        });
    }

    private static void close(FileCore core) throws IOException {
        io(() -> {
            core.close();
            return true;
        });
    }

    /** See {@link org.trueasync.io.AsyncFile#inputStream}. */
    public static InputStream input(FileCore core) {
        return new InputStream() {
            private final byte[] one = new byte[1];

            @Override
            public int read() throws IOException {
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return FileViews.read(core, ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public long skip(long count) throws IOException {
                if (!core.isSeekable()) return super.skip(count);
                return count <= 0 ? 0 : io(() -> core.skip(count));
            }

            @Override
            public void close() throws IOException {
                FileViews.close(core);
            }
        };
    }

    /** See {@link org.trueasync.io.AsyncFile#outputStream}. */
    public static OutputStream output(FileCore core) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                FileViews.write(core, ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public void flush() {
                core.requireLoopThread("flush");
            }

            @Override
            public void close() throws IOException {
                FileViews.close(core);
            }
        };
    }

    /** See {@link org.trueasync.io.AsyncFile#channel}. */
    public static SeekableByteChannel channel(FileCore core) {
        return new SeekableByteChannel() {
            private void requireOpen() throws ClosedChannelException {
                if (core.isClosed()) throw new ClosedChannelException();
            }

            @Override
            public int read(ByteBuffer into) throws IOException {
                requireOpen();
                if (!core.isReadable()) throw new NonReadableChannelException();
                return FileViews.read(core, into);
            }

            @Override
            public int write(ByteBuffer from) throws IOException {
                requireOpen();
                if (!core.isWritable()) throw new NonWritableChannelException();
                int length = from.remaining();
                FileViews.write(core, from);
                return length;
            }

            @Override
            public long position() throws IOException {
                requireOpen();
                return io(core::position);
            }

            @Override
            public SeekableByteChannel position(long to) throws IOException {
                requireOpen();
                io(() -> {
                    core.seek(to, null);
                    return true;
                });
                return this;
            }

            @Override
            public long size() throws IOException {
                requireOpen();
                return io(() -> core.size(null));
            }

            // only ever shorter, as the interface has it
            @Override
            public SeekableByteChannel truncate(long size) throws IOException {
                requireOpen();
                if (!core.isWritable()) throw new NonWritableChannelException();
                io(() -> {
                    if (size < core.size(null)) core.truncate(size, null);
                    if (size < core.position()) core.seek(size, null);
                    return true;
                });
                return this;
            }

            @Override
            public boolean isOpen() {
                return !core.isClosed();
            }

            @Override
            public void close() throws IOException {
                FileViews.close(core);
            }
        };
    }
}
