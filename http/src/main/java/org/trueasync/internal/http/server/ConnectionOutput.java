package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.server.PeerDeadline.Phase;
import org.trueasync.io.AsyncFile;

/** What is written to a connection. A peer that does not read it ends the connection in the end. */
final class ConnectionOutput {
    private final Connection connection;
    private final PeerDeadline deadline;
    private final ServerCore server;
    /** How many coroutines write now, and what the first of them writes: it moves while the peer reads. */
    private int writers;

    private @Nullable ByteBuffer writing;
    private int unwritten;

    ConnectionOutput(Connection connection, PeerDeadline deadline) {
        this.connection = connection;
        this.deadline = deadline;
        this.server = connection.server;
    }

    void write(ByteBuffer bytes) {
        long count = bytes.remaining();
        begin(bytes);
        try {
            connection.stream().write(bytes);
        } finally {
            end();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of several, one after another; the second one is the long one. */
    void write(ByteBuffer... parts) {
        long count = 0;
        for (ByteBuffer part : parts) count += part.remaining();
        begin(parts[1]);
        try {
            connection.stream().write(parts);
        } finally {
            end();
        }
        server.counters.bytesOut += count;
    }

    /** As {@link #write(ByteBuffer)}, of a part of a file; returns how many bytes there were. */
    long write(AsyncFile file, long position, long count) {
        long sent;
        begin(null);
        try {
            sent = file.sendTo(connection.stream(), position, count);
        } finally {
            end();
        }
        server.counters.bytesOut += sent;
        return sent;
    }

    /**
     * A coroutine begins to write to the stream itself; {@link #end} follows.
     *
     * @param bytes what it writes; null if that can't be watched
     */
    void begin(@Nullable ByteBuffer bytes) {
        if (writers++ > 0) return;
        writing = bytes;
        unwritten = bytes == null ? 0 : bytes.remaining();
        deadline.expect(Phase.WRITING, server.settings.writeNanos);
    }

    void end() {
        writing = null;
        if (--writers > 0) deadline.expect(Phase.WRITING, server.settings.writeNanos);
        else if (deadline.phase() == Phase.WRITING) deadline.disarm(Phase.HANDLING);
    }

    /** True while a coroutine writes. */
    boolean isBusy() {
        return writers > 0;
    }

    /** True if the peer has read something of the write under way since it was asked last. */
    boolean isRead() {
        ByteBuffer bytes = writing;
        if (bytes == null || bytes.remaining() == unwritten) return false;
        unwritten = bytes.remaining();
        return true;
    }
}
