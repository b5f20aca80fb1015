package org.trueasync.internal.pool;

import java.time.Duration;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.error.Lengths;

/** The time-out of an acquire; its message describes the pool. */
final class AcquireTimeout extends AsyncTimeoutException {
    private static final long serialVersionUID = 1;

    AcquireTimeout(Duration after, String pool) {
        super(after, pool + ": nothing free within " + Lengths.shown(after));
    }

    /** Names the public type. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncTimeoutException.class.getName() + ": " + getMessage();
    }
}
