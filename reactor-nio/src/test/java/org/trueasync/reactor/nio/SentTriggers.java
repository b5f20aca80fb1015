package org.trueasync.reactor.nio;

import org.trueasync.spi.Reactor;

/** For tests in other packages. */
public final class SentTriggers {
    private SentTriggers() {}

    /** System calls that triggers have cost this reactor. */
    public static int of(Reactor reactor) {
        return ((NioReactor) reactor).triggersSent();
    }
}
