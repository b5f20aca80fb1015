package org.trueasync.io;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.Duplex;
import org.trueasync.internal.io.StreamViews;

/**
 * Implements the methods of {@link ByteStream} for all streams but files.
 *
 * @param <C> type of the core, which does the work
 */
abstract class CoreStream<C extends Duplex> implements ByteStream {
    /**
     * When TLS takes the stream over, this is replaced by a core that refuses every call, with a message that says what
     * to use instead.
     */
    C core;

    private @Nullable LineReader lines;

    CoreStream(C core) {
        this.core = core;
    }

    @Override
    public int read(ByteBuffer into) {
        return core.read(into, null);
    }

    @Override
    public int read(ByteBuffer into, Completable<?> cancellation) {
        return core.read(into, required(cancellation));
    }

    @Override
    public int tryRead(ByteBuffer into) {
        return core.tryRead(into);
    }

    @Override
    public void write(ByteBuffer from) {
        core.write(from, null);
    }

    @Override
    public void write(ByteBuffer from, Completable<?> cancellation) {
        core.write(from, required(cancellation));
    }

    @Override
    public void write(ByteBuffer... from) {
        Objects.requireNonNull(from, "from");
        core.write(from);
    }

    @Override
    public void flush() {
        core.flush(null);
    }

    @Override
    public void flush(Completable<?> cancellation) {
        core.flush(required(cancellation));
    }

    static Completable<?> required(Completable<?> cancellation) {
        return Objects.requireNonNull(cancellation, "cancellation");
    }

    @Override
    public LineReader lines() {
        core.requireLoopThread("lines");
        LineReader reader = lines;
        if (reader == null) lines = reader = new LineReader(this);
        return reader;
    }

    /** Number of bytes that the line reader has read ahead. */
    final int readAhead() {
        LineReader reader = lines;
        return reader == null ? 0 : reader.buffered();
    }

    @Override
    public InputStream inputStream() {
        core.requireLoopThread("inputStream");
        return StreamViews.input(core);
    }

    @Override
    public OutputStream outputStream() {
        core.requireLoopThread("outputStream");
        return StreamViews.output(core);
    }

    @Override
    public ByteChannel channel() {
        core.requireLoopThread("channel");
        return StreamViews.channel(core);
    }

    @Override
    public boolean isClosed() {
        return core.isClosed();
    }

    @Override
    public void close() {
        core.close();
    }
}
