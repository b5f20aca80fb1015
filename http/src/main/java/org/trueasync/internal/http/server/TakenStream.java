package org.trueasync.internal.http.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import org.trueasync.Completable;
import org.trueasync.io.ByteStream;

/**
 * The stream of a connection that has left HTTP, with the bytes that had been read before. A peer that does not read
 * what is written here is cut in the end, as in HTTP.
 */
final class TakenStream implements ByteStream {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Connection connection;
    private final ByteStream stream;
    private ByteBuffer before;

    TakenStream(Connection connection, ByteBuffer before) {
        this.connection = connection;
        this.stream = connection.stream();
        this.before = before.hasRemaining() ? before : NONE;
    }

    private int readBefore(ByteBuffer into) {
        int count = Math.min(before.remaining(), into.remaining());
        into.put(into.position(), before, before.position(), count);
        into.position(into.position() + count);
        before.position(before.position() + count);
        if (!before.hasRemaining()) before = NONE;
        return count;
    }

    @Override
    public int read(ByteBuffer into) {
        return before.hasRemaining() && into.hasRemaining() ? readBefore(into) : stream.read(into);
    }

    @Override
    public int read(ByteBuffer into, Completable<?> cancellation) {
        return before.hasRemaining() && into.hasRemaining() ? readBefore(into) : stream.read(into, cancellation);
    }

    @Override
    public int tryRead(ByteBuffer into) {
        return before.hasRemaining() && into.hasRemaining() ? readBefore(into) : stream.tryRead(into);
    }

    @Override
    public void write(ByteBuffer from) {
        connection.output.write(from);
    }

    @Override
    public void write(ByteBuffer from, Completable<?> cancellation) {
        connection.output.begin(from);
        try {
            stream.write(from, cancellation);
        } finally {
            connection.output.end();
        }
    }

    @Override
    public void write(ByteBuffer... from) {
        connection.output.begin(null);
        try {
            stream.write(from);
        } finally {
            connection.output.end();
        }
    }

    @Override
    public void flush() {
        stream.flush();
    }

    @Override
    public void flush(Completable<?> cancellation) {
        stream.flush(cancellation);
    }

    @Override
    public void shutdownOutput() {
        stream.shutdownOutput();
    }

    @Override
    public InputStream inputStream() {
        return before.hasRemaining() ? Channels.newInputStream(channel()) : stream.inputStream();
    }

    @Override
    public OutputStream outputStream() {
        return stream.outputStream();
    }

    @Override
    public ByteChannel channel() {
        ByteChannel below = stream.channel();
        return new ByteChannel() {
            @Override
            public int read(ByteBuffer into) throws java.io.IOException {
                return before.hasRemaining() && into.hasRemaining() ? readBefore(into) : below.read(into);
            }

            @Override
            public int write(ByteBuffer from) throws java.io.IOException {
                return below.write(from);
            }

            @Override
            public boolean isOpen() {
                return below.isOpen();
            }

            @Override
            public void close() throws java.io.IOException {
                below.close();
            }
        };
    }

    @Override
    public boolean isClosed() {
        return stream.isClosed();
    }

    @Override
    public void close() {
        stream.close();
    }
}
