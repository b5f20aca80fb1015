package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;

/** What a connection has read and not parsed. While it waits for more, it has no buffer: then that is another one's. */
final class ConnectionInput {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Connection connection;
    private final ServerCore server;
    private ByteBuffer bytes = NONE;
    private boolean ended;

    ConnectionInput(Connection connection) {
        this.connection = connection;
        this.server = connection.server;
    }

    /** What was read and not parsed; not to be kept beyond the next read. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** True once the peer has closed its output. */
    boolean isEnded() {
        return ended;
    }

    /** Waits for bytes, in place of those that were parsed; returns how many, or -1 at the end. */
    int read(@Nullable Completable<?> token) {
        giveBack();
        int count = -1;
        ByteStream stream = connection.stream();
        try {
            if (stream instanceof TcpStream tcp)
                count = token == null ? tcp.read(this::room) : tcp.read(this::room, token);
            else count = token == null ? stream.read(room(0)) : stream.read(room(0), token);
        } finally {
            bytes.flip();
        }
        return counted(count);
    }

    /** As {@link #read}, behind the bytes that are there. */
    int readBehind() {
        if (!bytes.hasRemaining()) return read(null);
        bytes.compact();
        try {
            return counted(connection.stream().read(bytes));
        } finally {
            bytes.flip();
        }
    }

    /** As {@link #read} into a large buffer, without waiting: returns 0 if there is nothing. */
    int tryRead() {
        if (!Buffers.isLarge(bytes)) {
            giveBack();
            room(Integer.MAX_VALUE);
        }
        int count = 0;
        try {
            count = connection.stream().tryRead(bytes.clear());
        } finally {
            bytes.flip();
        }
        return counted(count);
    }

    /**
     * Waits for bytes into a buffer of the caller's.
     *
     * @param nanos how long; 0 for ever
     * @throws org.trueasync.OperationCanceledException if none comes in that time
     */
    int readInto(ByteBuffer into, long nanos) {
        if (nanos == 0) return counted(connection.stream().read(into));
        var limit = server.loop.timers().timeout(Duration.ofNanos(nanos));
        try {
            return counted(connection.stream().read(into, limit));
        } finally {
            limit.dispose();
        }
    }

    private int counted(int count) {
        if (count > 0) server.counters.bytesIn += count;
        else if (count < 0) ended = true;
        return count;
    }

    /** Takes a buffer for that many bytes, or for a part of them. */
    private ByteBuffer room(int count) {
        bytes = server.buffers.take(count);
        return bytes;
    }

    /** Gives the buffer back, as nothing is left in it; nor in {@link RequestParser#content}, which is a part of it. */
    void giveBack() {
        ByteBuffer empty = take();
        server.buffers.give(empty);
    }

    /** Takes what was read away; its buffer is not given back, as there may be bytes in it. */
    ByteBuffer take() {
        ByteBuffer taken = bytes;
        bytes = NONE;
        return taken;
    }
}
