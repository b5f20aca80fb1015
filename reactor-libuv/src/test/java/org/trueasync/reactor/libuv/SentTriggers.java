package org.trueasync.reactor.libuv;

import org.trueasync.spi.Reactor;

/** For tests in other packages. */
public final class SentTriggers {
    private SentTriggers() {}

    /** System calls that triggers have cost this reactor. */
    public static int of(Reactor reactor) {
        return ((UvReactor) reactor).triggersSent();
    }
}
