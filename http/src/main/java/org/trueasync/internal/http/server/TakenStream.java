package org.trueasync.internal.http.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import org.trueasync.Completable;
import org.trueasync.io.ByteStream;

/** The stream of a connection that has left HTTP, with the bytes that had been read before. */
final class TakenStream implements ByteStream {
    private final ByteStream stream;
    private final ByteBuffer before;

    TakenStream(ByteStream stream, ByteBuffer before) {
        this.stream = stream;
        this.before = before;
    }

    private int readBefore(ByteBuffer into) {
        int count = Math.min(before.remaining(), into.remaining());
        into.put(into.position(), before, before.position(), count);
        into.position(into.position() + count);
        before.position(before.position() + count);
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
        stream.write(from);
    }

    @Override
    public void write(ByteBuffer from, Completable<?> cancellation) {
        stream.write(from, cancellation);
    }

    @Override
    public void write(ByteBuffer... from) {
        stream.write(from);
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
