package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/** A stream whose other end is the test: it says how much is taken, what comes in and when something is done. */
public final class ScriptedStream implements TcpHandle {
    private static final SystemError CLOSED = new SystemError("EBADF", "closed");

    private final ScriptedReactor reactor;
    private final Listener listener;
    private final InetSocketAddress remote;
    private final List<String> calls = new ArrayList<>();
    private final ArrayDeque<Integer> queued = new ArrayDeque<>();
    private long room;
    private long nanosPerWrite;
    private long taken;
    private int mostQueued;
    private @Nullable SystemError refusal;
    private boolean closed;

    ScriptedStream(ScriptedReactor reactor, Listener listener, InetSocketAddress remote) {
        this.reactor = reactor;
        this.listener = listener;
        this.remote = remote;
    }

    /**
     * How much the system takes at once from now on.
     *
     * @param bytes >= 0
     */
    public ScriptedStream room(long bytes) {
        room = bytes;
        return this;
    }

    /**
     * How much time each attempt to write takes.
     *
     * @param nanos >= 0
     */
    public ScriptedStream writesTake(long nanos) {
        nanosPerWrite = nanos;
        return this;
    }

    private void tells(Runnable event) {
        reactor.happens(this, () -> {
            if (!closed) event.run();
        });
    }

    /** Bytes come in, in the next turn. */
    public void receives(String text) {
        tells(() -> listener.onBytes(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
    }

    /** The peer ends its side, in the next turn. */
    public void ends() {
        tells(listener::onEnd);
    }

    /** Reading fails, in the next turn. */
    public void failsToRead(SystemError error) {
        tells(() -> listener.onReadError(error));
    }

    /**
     * What the system says from now on if it is to take bytes at once.
     *
     * @param error the refusal
     */
    public void refusesWrites(SystemError error) {
        refusal = error;
    }

    /** The oldest queued write is sent, in the next turn. */
    public void sends() {
        sends(null);
    }

    /**
     * The oldest queued write ends, in the next turn.
     *
     * @param error why it failed, or null
     */
    public void sends(@Nullable SystemError error) {
        queued.remove();
        tells(() -> listener.onWritten(error));
    }

    /**
     * The shutdown ends, in the next turn.
     *
     * @param error why it failed, or null
     */
    public void shuts(@Nullable SystemError error) {
        tells(() -> listener.onShutdown(error));
    }

    /** What was called: {@code taken 5}, {@code queued 262144}, {@code shutdown}. */
    public List<String> calls() {
        return calls;
    }

    /** The bytes that were taken at once. */
    public long taken() {
        return taken;
    }

    /** The bytes that are queued and not sent. */
    public int queued() {
        return queued.stream().mapToInt(Integer::intValue).sum();
    }

    /** The most bytes that were ever queued and not sent. */
    public int mostQueued() {
        return mostQueued;
    }

    @Override
    public InetSocketAddress localAddress() {
        return remote;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public @Nullable SystemError startReading() {
        return closed ? CLOSED : null;
    }

    @Override
    public void stopReading() {}

    @Override
    public void readNow() {}

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer bytes) {
        if (closed) return CLOSED;
        reactor.advance(nanosPerWrite);
        if (!queued.isEmpty()) return null;
        if (refusal != null) return refusal;
        int count = (int) Math.min(room, bytes.remaining());
        bytes.position(bytes.position() + count);
        room -= count;
        taken += count;
        calls.add("taken " + count);
        return null;
    }

    @Override
    public void write(ByteBuffer bytes) {
        if (closed) throw new IllegalStateException("closed");
        calls.add("queued " + bytes.remaining());
        queued.add(bytes.remaining());
        bytes.position(bytes.limit());
        mostQueued = Math.max(mostQueued, queued());
    }

    @Override
    public void shutdown() {
        calls.add("shutdown");
    }

    @Override
    public @Nullable SystemError noDelay(boolean on) {
        return null;
    }

    @Override
    public @Nullable SystemError keepAlive(int idle, int interval, int probes) {
        return null;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }
}
