package org.trueasync.internal.tls;

import java.util.concurrent.Executor;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.Underlay;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;

/**
 * Turns a stream into a TLS connection: the calling coroutine exchanges the bytes of the {@link Handshake} with the
 * peer.
 */
public final class Handshaking {
    private final Loop loop;
    private final Underlay below;
    private final StreamCore stream;
    private final Incoming in = new Incoming();
    private final Handshake handshake;
    private final @Nullable Completable<?> token;

    private Handshaking(
            Loop loop,
            Underlay below,
            TlsSettings settings,
            SSLParameters parameters,
            int port,
            @Nullable Completable<?> token) {
        this.loop = loop;
        this.below = below;
        this.stream = below.core();
        this.handshake = new Handshake(settings, parameters, port, in);
        this.token = token;
    }

    /**
     * Makes the handshake; suspends. If this throws, the stream is closed. Only where the caller may wait.
     *
     * @param below the stream; from now on used by TLS only
     * @param settings what to agree on
     * @param port of the server, for clients
     * @param token ends the attempt, or null
     * @throws InputOutputException if one side refuses the other, or the connection is lost
     */
    public static TlsCore over(Underlay below, TlsSettings settings, int port, @Nullable Completable<?> token) {
        StreamCore stream = below.core();
        Loop loop = Runtimes.here("tls");
        try {
            SSLParameters parameters = settings.parameters();
            return new Handshaking(loop, below, settings, parameters, port, token).run();
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    private TlsCore run() {
        String what = "TLS handshake with " + stream.peer();
        // virtual time does not wait for other threads
        Executor threads = loop.reactor().isTimeVirtual() ? Runnable::run : Workers.HANDSHAKES;
        while (true) {
            Work.await(loop, threads, what, handshake, null, token);
            Exception failure = handshake.failure();
            if (failure != null) throw failed(failure);
            if (handshake.out().hasRemaining()) stream.write(handshake.out(), token);
            if (handshake.isClosed()) throw TlsErrors.cutInHandshake(stream.peer());
            if (handshake.isOver()) return new TlsCore(loop, below, handshake.engine(), in);
            if (handshake.needsBytes()) readRecord();
        }
    }

    private void readRecord() {
        int size = handshake.engine().getSession().getPacketBufferSize();
        do {
            int count = stream.read(in.room(size), token);
            if (count < 0) throw TlsErrors.cutInHandshake(stream.peer());
            in.received(count);
        } while (!Records.isWhole(in.raw()));
    }

    /** Tells the peer why, if that is possible without waiting, and returns the exception. */
    private InputOutputException failed(Exception failure) {
        try {
            below.writeAside(handshake.out());
            below.discardReceived();
        } catch (InputOutputException lost) {
            failure.addSuppressed(lost);
        }
        return TlsErrors.handshake(stream.peer(), failure);
    }
}
