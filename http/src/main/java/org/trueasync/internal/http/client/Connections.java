package org.trueasync.internal.http.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.Mutex;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TlsStream;
import org.trueasync.spi.PoolHooks;

/**
 * Makes, checks and closes what the exchanges with one origin go over, for its pool: connections of HTTP/1, or places
 * on shared ones of HTTP/2. Until it is known which, one connection at a time is made.
 */
final class Connections implements PoolHooks<ClientWire> {
    private final Loop loop;
    private final ClientSettings settings;
    private final Origin origin;
    private final Mutex dialing = new Mutex();
    private final List<SharedConnection> shared = new ArrayList<>(1);
    private boolean speaksHttp2;
    private int failures;
    private @Nullable RuntimeException failure;

    Connections(Loop loop, ClientSettings settings, Origin origin) {
        this.loop = loop;
        this.settings = settings;
        this.origin = origin;
        this.speaksHttp2 = settings.http2 && (origin.secure() || !settings.http1);
    }

    @Override
    public ClientWire create() {
        Object made = speaksHttp2 ? sharedOrOther() : null;
        if (made instanceof SharedConnection one) return new StreamPlace(this, settings, one);
        var other = made instanceof ClientConnection connection ? connection : new ClientConnection(settings, origin);
        if (other.isClosed()) other.open();
        return other;
    }

    /** Enters a connection of HTTP/2, in place of one that is of no use any more. */
    SharedConnection shared() {
        Object made = sharedOrOther();
        if (made instanceof SharedConnection one) return one;
        if (made instanceof ClientConnection other) other.close();
        throw new InputOutputException("the server does not speak HTTP/2 any more", "EPROTO");
    }

    /**
     * One at a time is made. Those who wait meanwhile use it too, or fail as it has failed: otherwise each of them
     * would wait once more for a server that is silent, one after another.
     *
     * @return a shared one, entered; or one of HTTP/1; or null if it is known meanwhile that it is to be one of HTTP/1
     */
    private @Nullable Object sharedOrOther() {
        int before = failures;
        dialing.lock();
        try {
            SharedConnection found = withRoom();
            if (found != null) return found;
            if (!speaksHttp2) return null;
            if (failure != null && failures != before) throw failure;
            Object made = dialer().connect(this::begun);
            failure = null;
            return made instanceof SharedConnection connection ? add(connection) : made;
        } catch (InputOutputException | DnsException e) {
            if (e != failure) failures++;
            failure = e;
            throw e;
        } finally {
            dialing.unlock();
        }
    }

    private @Nullable SharedConnection withRoom() {
        shared.removeIf(one -> one.frames.isEnding());
        for (SharedConnection one : shared) {
            one.enter();
            if (one.isGood(loop.reactor().nanoTime())) return one;
            one.leave();
        }
        return null;
    }

    private SharedConnection add(SharedConnection made) {
        shared.add(made);
        made.enter();
        return made;
    }

    private Dialer dialer() {
        return new Dialer(settings, origin, settings.http1, true);
    }

    private Object begun(ByteStream stream) {
        boolean isHttp2 = stream instanceof TlsStream tls ? "h2".equals(tls.applicationProtocol()) : !settings.http1;
        if (isHttp2) {
            var made = new SharedConnection(loop, settings, stream);
            made.begin();
            return made;
        }
        if (!settings.http1) {
            stream.close();
            throw new InputOutputException("the server does not offer HTTP/2", "EPROTO");
        }
        speaksHttp2 = false;
        return new ClientConnection(settings, origin, stream);
    }

    @Override
    public void destroy(ClientWire connection) {
        connection.close();
    }

    @Override
    public boolean beforeAcquire(ClientWire connection) {
        return isHealthy(connection);
    }

    /** A failed one is reported to the breaker. */
    @Override
    public boolean beforeRelease(ClientWire connection) {
        return !connection.hasFailed;
    }

    @Override
    public boolean isHealthy(ClientWire connection) {
        return connection.isFit(loop.reactor().nanoTime(), settings.keepAlive.toNanos());
    }
}
