package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;

/** A listening socket with as many waiting connections as the test says. */
public final class ScriptedListener implements ListenHandle {
    private final ScriptedReactor reactor;
    private final InetSocketAddress local;
    private final Listener listener;
    private int waiting;
    private @Nullable InputOutputException refusal;
    private boolean closed;

    ScriptedListener(ScriptedReactor reactor, InetSocketAddress local, Listener listener) {
        this.reactor = reactor;
        this.local = local;
        this.listener = listener;
    }

    /**
     * Connections come, and are reported in the next turn.
     *
     * @param connections how many wait now
     */
    public ScriptedListener waiting(int connections) {
        waiting = connections;
        reactor.happens(this, listener::onConnection);
        return this;
    }

    /** One more connection comes, and is reported when it is there. */
    public ScriptedListener comes() {
        reactor.happens(this, () -> {
            if (closed) return;
            waiting++;
            listener.onConnection();
        });
        return this;
    }

    /**
     * The system accepts none, or accepts again.
     *
     * @param error why; null for no longer
     */
    public ScriptedListener refusing(@Nullable InputOutputException error) {
        refusal = error;
        return this;
    }

    /** The connections that have not been accepted. */
    public int waiting() {
        return waiting;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public @Nullable TcpHandle accept(StreamHandle.Listener streamListener) {
        if (waiting == 0) return null;
        if (refusal != null) throw refusal;
        waiting--;
        return reactor.stream(streamListener, new InetSocketAddress("127.0.0.1", 1));
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
