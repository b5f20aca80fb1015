package org.trueasync.internal.http.server;

import java.time.Duration;

/** The body of a request does not come. */
final class BodyTimeout extends RuntimeException {
    private static final long serialVersionUID = 1;

    BodyTimeout(Duration after) {
        super("no byte of the body came for " + after.toMillis() + " ms", null, false, false);
    }
}
