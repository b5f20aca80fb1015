package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.h2.ServerStream;
import org.trueasync.internal.http.websocket.SocketBytes;

/** A stream of HTTP/2 that a WebSocket has, as if it was a connection (RFC 8441). */
final class StreamBytes implements SocketBytes {
    private final ServerStream stream;
    /** How many coroutines are in the middle of a write. */
    private int writing;

    private boolean closed;

    StreamBytes(ServerStream stream) {
        this.stream = stream;
    }

    @Override
    public int read(ByteBuffer into) {
        requireOpen();
        return taken(into, stream.body(0));
    }

    @Override
    public int read(ByteBuffer into, Completable<?> cancellation) {
        requireOpen();
        return taken(into, stream.body(cancellation));
    }

    @Override
    public int tryRead(ByteBuffer into) {
        requireOpen();
        ByteBuffer part = stream.nextPart();
        if (part == null && !stream.isBodyRead()) {
            if (stream.isLost()) stream.body(0); // says why
            return 0;
        }
        return taken(into, part);
    }

    private int taken(ByteBuffer into, @Nullable ByteBuffer part) {
        requireOpen();
        if (part == null) return -1;
        int count = Math.min(part.remaining(), into.remaining());
        into.put(into.position(), part, part.position(), count);
        into.position(into.position() + count);
        part.position(part.position() + count);
        return count;
    }

    @Override
    public void write(ByteBuffer from) {
        requireOpen();
        writing++;
        try {
            stream.write(from, false);
        } finally {
            writing--;
        }
    }

    private void requireOpen() {
        if (closed) throw new InputOutputException("the WebSocket was closed here", "EBADF");
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        stream.end(writing == 0);
    }
}
