package org.trueasync.spi;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection.
 *
 * <p>Loop thread only.
 */
public interface TcpHandle extends StreamHandle {
    /** This end's address; null if the system can't tell any more. */
    @Nullable
    InetSocketAddress localAddress();

    /** The other end's address; null if the system can't tell any more. */
    @Nullable
    InetSocketAddress remoteAddress();

    /**
     * Sets whether small writes are sent at once (the default of a new stream) or gathered.
     *
     * @param on true to send at once
     * @return null, or why it can't
     */
    @Nullable
    SystemError noDelay(boolean on);

    /**
     * As {@link #keepAlive(int, int, int)}, asking every second, ten times.
     *
     * @param idle as there
     * @return null, or why it can't
     */
    @Nullable
    default SystemError keepAlive(int idle) {
        return keepAlive(idle, 1, 10);
    }

    /**
     * Has the system check whether an idle peer is still there. If it does not answer, the connection is lost, {@code ETIMEDOUT}.
     *
     * @param idle seconds before it is asked first, >= 1; 0 switches it off
     * @param interval seconds between two questions, >= 1
     * @param probes how many questions may remain unanswered, >= 1
     * @return null, or why it can't
     */
    @Nullable
    SystemError keepAlive(int idle, int interval, int probes);
}
