package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.h2.ClientStream;
import org.trueasync.internal.http.h2.ResponseHead;
import org.trueasync.internal.http.message.Fields;

/** A place on a connection of HTTP/2: one stream after another. */
final class StreamPlace extends ClientWire {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Connections connections;
    private final ClientSettings settings;
    private SharedConnection shared;
    private @Nullable ClientStream stream;
    private @Nullable ResponseHead head;
    private long begun;
    private long sent;
    private boolean closed;

    /**
     * Makes one.
     *
     * @param shared which has been {@linkplain SharedConnection#enter entered} for it
     */
    StreamPlace(Connections connections, ClientSettings settings, SharedConnection shared) {
        this.connections = connections;
        this.settings = settings;
        this.shared = shared;
    }

    @Override
    void open() {
        if (end(true)) return; // only its stream was refused
        close();
        shared = connections.shared();
        closed = false;
    }

    @Override
    String protocol() {
        return "HTTP/2";
    }

    @Override
    void close() {
        if (closed) return;
        closed = true;
        end(true);
        shared.leave();
    }

    // ---- an exchange

    @Override
    boolean takes(byte[] small) {
        return shared.frames.takes(small.length);
    }

    @Override
    void begin(ClientRequest request, byte @Nullable [] small) {
        head = null;
        sent = 0;
        begun = shared.now();
        boolean isBare = small != null && small.length == 0;
        ClientStream opened = shared.frames.open(request.streamFields(settings.gzip), isBare, request.isHead());
        stream = opened;
        if (small != null && !isBare) opened.write(ByteBuffer.wrap(small), true);
    }

    @Override
    void sendPart(byte[] from, int offset, int length) {
        stream().write(ByteBuffer.wrap(from, offset, length), false);
        sent += length;
    }

    @Override
    void endBody() {
        stream().write(NONE.duplicate(), true);
    }

    @Override
    void cutBody(boolean stopped) {
        if (!stopped && stream != null) stream.finished();
    }

    @Override
    int readHead(boolean sending) {
        ResponseHead next = timed(sending, stream()::head);
        head = next;
        return next.status();
    }

    /** Waits in a stream, no longer than the server may be silent. */
    private <T extends @Nullable Object> T timed(boolean sending, LongFunction<T> wait) {
        long nanos = settings.readTimeout.toNanos();
        while (true) {
            long before = sent;
            try {
                return wait.apply(nanos);
            } catch (OperationCanceledException e) {
                if (sending && sent > before) continue;
                String why = "the server has sent no byte for " + settings.readTimeout.toMillis() + " ms (readTimeout)";
                shared.isSilent(nanos, why);
                throw new InputOutputException(why, "ETIMEDOUT");
            }
        }
    }

    @Override
    boolean hasBegunResponse() {
        return stream != null && stream.hasBegunResponse();
    }

    @Override
    boolean mayHaveBeenStale() {
        return shared.isUsed() && shared.frames.isEnding() && !hasBegunResponse();
    }

    @Override
    boolean isNotServed() {
        return stream == null || stream.isNotServed();
    }

    @Override
    Fields fields() {
        return Objects.requireNonNull(head).fields();
    }

    @Override
    long contentLength() {
        return Objects.requireNonNull(head).length();
    }

    @Override
    @Nullable
    ByteBuffer body(boolean sending) {
        return timed(sending, stream()::body);
    }

    @Override
    boolean isComplete() {
        return stream().nextPart() == null && stream().isBodyRead();
    }

    @Override
    @Nullable
    Fields trailers() {
        return stream().trailers();
    }

    @Override
    boolean discard() {
        shared.frames.poll();
        ByteBuffer part;
        while ((part = stream().nextPart()) != null) part.position(part.limit());
        return stream().isBodyRead();
    }

    @Override
    boolean hasEndedRequest() {
        return !stream().hasSentAll();
    }

    @Override
    boolean end(boolean sentAll) {
        if (stream != null) {
            stream.finished();
            shared.used();
        }
        stream = null;
        return !shared.frames.isEnding();
    }

    @Override
    boolean giveUp() {
        if (stream != null) stream.finished(); // whoever sends its body gets an error
        shared.wasGivenUp(begun);
        return !shared.frames.isEnding();
    }

    private ClientStream stream() {
        // whoever writes a body may not know yet
        if (stream == null) throw new InputOutputException("the call is over", "ECONNRESET");
        return stream;
    }

    @Override
    boolean isGood(long now) {
        return !closed && shared.isGood(now);
    }
}
