package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;

/** The body of the request that a connection of HTTP/1 has read the head of. */
final class BodyInput {
    /** How much of a body that nobody wants is read, so that the connection can be kept. */
    static final int MAX_DISCARDED = 256 * 1024;

    private final ServerCore server;
    private final ConnectionInput input;
    private final RequestParser parser;

    BodyInput(ServerCore server, ConnectionInput input, RequestParser parser) {
        this.server = server;
        this.input = input;
        this.parser = parser;
    }

    /**
     * Reads its next part, if the parser has none left. Returns false at its end.
     *
     * @throws BodyTimeout if none comes for too long
     */
    boolean read() {
        while (!parser.content().hasRemaining()) {
            if (parser.isAtEnd()) return false;
            parser.parse(input.bytes());
            if (parser.content().hasRemaining()
                    || parser.isAtEnd()
                    || input.bytes().hasRemaining()) continue;
            if (input.isEnded())
                throw new InputOutputException(
                        "the client has closed its output in the middle of a body", "ECONNRESET");
            int count = input.tryRead();
            if (count == 0) count = readWithin(server.settings.bodyNanos);
            if (count < 0) parser.end();
        }
        return true;
    }

    private int readWithin(long nanos) {
        if (nanos == 0) return input.read(null);
        var limit = server.loop.timers().timeout(Duration.ofNanos(nanos));
        try {
            return input.read(limit);
        } catch (OperationCanceledException e) {
            server.counters.bodyTimeouts++;
            throw new BodyTimeout(Duration.ofNanos(nanos));
        } finally {
            limit.dispose();
        }
    }

    /**
     * Reads and forgets what is left of it, when its request is over. Returns whether it has come to its end, so that
     * the next request can be read.
     *
     * @param connection which may be closed meanwhile
     * @param silence how long the peer may send nothing
     */
    boolean discard(Connection connection, Duration silence) {
        if (parser.isComplete()) return true;
        long discarded = 0;
        var limit = server.loop.timers().timeout(silence);
        try {
            while (!parser.isComplete()) {
                ByteBuffer part = parser.content();
                discarded += part.remaining();
                part.position(part.limit());
                if (parser.refusal() != null || discarded > MAX_DISCARDED) return false;
                parser.parse(input.bytes());
                if (input.bytes().hasRemaining() || parser.content().hasRemaining() || parser.isAtEnd()) continue;
                if (input.isEnded() || connection.isClosing() || input.read(limit) < 0) return false;
            }
            return true;
        } catch (OperationCanceledException e) {
            return false;
        } finally {
            limit.dispose();
        }
    }
}
