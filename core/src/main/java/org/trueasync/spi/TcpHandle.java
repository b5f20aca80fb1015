package org.trueasync.spi;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A TCP connection. */
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
     * Has the system check from time to time whether an idle peer is still there.
     *
     * @param seconds idle time before the first check, >= 1; 0 switches it off
     * @return null, or why it can't
     */
    @Nullable
    SystemError keepAlive(int seconds);
}
