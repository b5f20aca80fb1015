package org.trueasync.spi;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection.
 *
 * <p>Loop thread only.
 */
public interface TcpHandle extends StreamHandle {
    /** The local address; null once this handle is closed, or if the system does not know the address. */
    @Nullable
    InetSocketAddress localAddress();

    /** The peer's address; null if the system does not know it. */
    @Nullable
    InetSocketAddress remoteAddress();

    /**
     * Sets TCP_NODELAY: whether small writes are sent at once (the default of a new stream) or gathered.
     *
     * @param on true to send at once
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError noDelay(boolean on);

    /**
     * As {@link #keepAlive(int, int, int)}, with up to 10 probes, one per second.
     *
     * @param idle seconds of silence before the first probe, >= 1; 0 switches keep-alive off
     * @return null, or the error that prevents it
     * @throws IllegalArgumentException if {@code idle} is negative
     */
    @Nullable
    default SystemError keepAlive(int idle) {
        return keepAlive(idle, 1, 10);
    }

    /**
     * Has the system send probes to an idle peer. If the peer does not answer, the connection fails with
     * {@code ETIMEDOUT}.
     *
     * @param idle seconds of silence before the first probe, >= 1; 0 switches keep-alive off
     * @param interval seconds between two probes, >= 1
     * @param probes number of unanswered probes after which the connection fails, >= 1
     * @return null, or the error that prevents it
     * @throws IllegalArgumentException if {@code idle} is negative
     */
    @Nullable
    SystemError keepAlive(int idle, int interval, int probes);
}
