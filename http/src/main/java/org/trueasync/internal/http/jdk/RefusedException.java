package org.trueasync.internal.http.jdk;

import java.io.IOException;

/** Says that a request is refused, with the status that its client gets if the handler lets this pass. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;
    private final int status;

    RefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
