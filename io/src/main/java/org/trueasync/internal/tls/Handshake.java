package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The computing part of a handshake, in steps between which the loop reads and writes. A step runs on a helper thread,
 * because signatures, checks of certificates and class loading take milliseconds. Meanwhile no other thread touches the
 * engine or the buffers.
 */
final class Handshake implements Callable<Handshake> {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TlsSettings settings;
    private final SSLParameters parameters;
    private final int port;
    private final Incoming in;
    private @Nullable SSLEngine engine;
    private ByteBuffer out = NOTHING;
    private boolean wantsMore;
    private boolean closed;
    private @Nullable Exception failure;

    /**
     * Makes a handshake that has not begun.
     *
     * @param parameters as the settings made them
     * @param port of the server
     * @param in where the loop puts the peer's bytes
     */
    Handshake(TlsSettings settings, SSLParameters parameters, int port, Incoming in) {
        this.settings = settings;
        this.parameters = parameters;
        this.port = port;
        this.in = in;
    }

    /**
     * Makes one step: as far as possible without the peer. Then the loop must write {@link #out} first, even if the
     * step has failed.
     */
    @Override
    public Handshake call() {
        out = out.limit() == 0 ? out : out.clear();
        try {
            SSLEngine mine = engine;
            if (mine == null) {
                engine = mine = settings.engine(parameters, port);
                mine.beginHandshake();
                out = ByteBuffer.allocate(mine.getSession().getPacketBufferSize());
            }
            step(mine);
        } catch (Exception e) {
            failure = e;
            tellPeer();
        }
        out.flip();
        return this;
    }

    private void step(SSLEngine mine) throws SSLException {
        wantsMore = false;
        while (!closed && !wantsMore) {
            switch (mine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks(mine);
                case NEED_WRAP -> wrap(mine);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    Status status = in.unwrap(mine).getStatus();
                    wantsMore = status == Status.BUFFER_UNDERFLOW;
                    closed = status == Status.CLOSED;
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task; (task = engine.getDelegatedTask()) != null; ) task.run();
    }

    private void wrap(SSLEngine mine) throws SSLException {
        SSLEngineResult result = mine.wrap(NOTHING, out);
        closed = result.getStatus() == Status.CLOSED;
        if (result.getStatus() != Status.BUFFER_OVERFLOW) return;
        int more = Math.max(out.capacity(), mine.getSession().getPacketBufferSize());
        out = ByteBuffer.allocate(out.capacity() + more).put(out.flip());
    }

    private void tellPeer() {
        SSLEngine mine = engine;
        if (mine == null) return;
        try {
            while (mine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                int before = out.position();
                wrap(mine);
                if (out.position() == before && closed) return;
            }
        } catch (SSLException | RuntimeException e) {
            // the first error is the one to report
        }
    }

    // ---- between the steps, on the loop thread

    /** Bytes to be written, from position to limit. */
    ByteBuffer out() {
        return out;
    }

    /** Why the handshake has failed, or null. */
    @Nullable
    Exception failure() {
        return failure;
    }

    /** True if the engine is closed, for instance because the peer has announced that it closes. */
    boolean isClosed() {
        return closed;
    }

    /** True once the handshake is complete. */
    boolean isOver() {
        return engine().getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** True if the next step needs more bytes of the peer. */
    boolean needsBytes() {
        return wantsMore
                || (engine().getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP && !Records.isWhole(in.raw()));
    }

    /** The engine; only after a step that has not failed. */
    SSLEngine engine() {
        return Objects.requireNonNull(engine);
    }
}
