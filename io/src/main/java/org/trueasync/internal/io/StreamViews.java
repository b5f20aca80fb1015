package org.trueasync.internal.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import java.util.Objects;
import org.trueasync.InputOutputException;

/** The JDK views of a {@link Duplex}. */
public final class StreamViews extends Views {
    private final Duplex core;

    private StreamViews(Duplex core) {
        this.core = core;
    }

    /** See {@link org.trueasync.io.ByteStream#inputStream}. */
    public static InputStream input(Duplex core) {
        return new StreamViews(core).new StreamInput();
    }

    /** See {@link org.trueasync.io.ByteStream#outputStream}. */
    public static OutputStream output(Duplex core) {
        return new StreamViews(core).new Output();
    }

    /** See {@link org.trueasync.io.ByteStream#channel}. */
    public static ByteChannel channel(Duplex core) {
        return new StreamViews(core).new StreamChannel();
    }

    @Override
    protected int readSome(ByteBuffer into) {
        return core.read(into, null);
    }

    @Override
    protected void writeAll(ByteBuffer from) {
        core.write(from, null);
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

    private final class StreamInput extends Input {
        @Override
        public int available() {
            requireLoopThread("available");
            return 0;
        }
    }

    private final class StreamChannel extends Channel implements GatheringByteChannel {
        @Override
        public long write(ByteBuffer[] from) throws IOException {
            return write(from, 0, from.length);
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, from.length);
            requireOpen();
            ByteBuffer[] parts = Arrays.copyOfRange(from, offset, offset + length);
            long bytes = 0;
            for (ByteBuffer part : parts) bytes += part.remaining();
            try {
                core.write(parts);
            } catch (InputOutputException e) {
                throw converted(e);
            }
            return bytes;
        }
    }
}
