package org.trueasync.internal.http.client;

import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.PoolHooks;

/** Makes, checks and closes the connections of one origin, for its pool. */
final class Connections implements PoolHooks<ClientConnection> {
    private final Loop loop;
    private final ClientSettings settings;
    private final Origin origin;

    Connections(Loop loop, ClientSettings settings, Origin origin) {
        this.loop = loop;
        this.settings = settings;
        this.origin = origin;
    }

    @Override
    public ClientConnection create() {
        var connection = new ClientConnection(settings, origin);
        connection.open();
        return connection;
    }

    @Override
    public void destroy(ClientConnection connection) {
        connection.close();
    }

    @Override
    public boolean beforeAcquire(ClientConnection connection) {
        return isHealthy(connection);
    }

    /** A failed one is reported to the breaker. */
    @Override
    public boolean beforeRelease(ClientConnection connection) {
        return !connection.hasFailed;
    }

    @Override
    public boolean isHealthy(ClientConnection connection) {
        return connection.isFit(loop.reactor().nanoTime());
    }
}
