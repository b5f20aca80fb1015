package org.trueasync.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.Views;

/** The JDK views of a {@link FileCore}. */
public final class FileViews extends Views {
    private final FileCore core;

    private FileViews(FileCore core) {
        this.core = core;
    }

    /** See {@link org.trueasync.io.AsyncFile#inputStream}. */
    public static InputStream input(FileCore core) {
        return new FileViews(core).new FileInput();
    }

    /** See {@link org.trueasync.io.AsyncFile#outputStream}. */
    public static OutputStream output(FileCore core) {
        return new FileViews(core).new Output();
    }

    /** See {@link org.trueasync.io.AsyncFile#channel}. */
    public static SeekableByteChannel channel(FileCore core) {
        return new FileViews(core).new FileChannel();
    }

    @Override
    protected int readSome(ByteBuffer into) {
        return core.read(into, -1, null);
    }

    @Override
    protected void writeAll(ByteBuffer from) {
        core.write(new ByteBuffer[] {from}, -1, null);
    }

    @Override
    protected void closeCore() {
        core.close();
    }

    @Override
    protected boolean isClosed() {
        return core.isClosed();
    }

    @Override
    protected void requireLoopThread(String call) {
        core.requireLoopThread(call);
    }

    private interface Operation<T> {
        T run();
    }

    private static <T> T io(Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (InputOutputException e) {
            throw converted(e);
        }
    }

    private final class FileInput extends Input {
        @Override
        public long skip(long count) throws IOException {
            if (!core.isSeekable()) return super.skip(count);
            return count <= 0 ? 0 : io(() -> core.skip(count));
        }
    }

    private final class FileChannel extends Channel implements SeekableByteChannel {
        @Override
        public int read(ByteBuffer into) throws IOException {
            requireOpen();
            if (!core.isReadable()) throw new NonReadableChannelException();
            return super.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            requireWritable();
            return super.write(from);
        }

        private void requireWritable() throws IOException {
            requireOpen();
            if (!core.isWritable()) throw new NonWritableChannelException();
        }

        @Override
        public long position() throws IOException {
            requireOpen();
            return io(core::position);
        }

        @Override
        public SeekableByteChannel position(long to) throws IOException {
            requireOpen();
            return io(() -> {
                core.seek(to);
                return this;
            });
        }

        @Override
        public long size() throws IOException {
            requireOpen();
            return io(() -> core.size());
        }

        // never makes the file longer, as the interface demands
        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            requireWritable();
            return io(() -> {
                if (size < core.size()) core.truncate(size);
                if (size < core.position()) core.seek(size);
                return this;
            });
        }
    }
}
