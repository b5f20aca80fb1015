package org.trueasync.internal.pool;

import java.time.Duration;
import org.trueasync.AsyncTimeoutException;

/** Nothing came free in time; says what the pool looked like. */
final class AcquireTimeout extends AsyncTimeoutException {
    private static final long serialVersionUID = 1;

    AcquireTimeout(Duration after, String pool) {
        super(after, pool + ": nothing free within " + shown(after));
    }

    /** By the type that users know. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncTimeoutException.class.getName() + ": " + getMessage();
    }
}
