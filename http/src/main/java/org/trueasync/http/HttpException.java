package org.trueasync.http;

import java.io.Serial;

/** An error that has a status: thrown by a handler it becomes the response, and is not reported. */
public class HttpException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** What the response says. */
    private final int status;

    /**
     * Makes an error for the peer.
     *
     * @param status 400 to 599
     * @param message a line of text for the peer
     * @throws IllegalArgumentException if the status is out of range
     */
    public HttpException(int status, String message) {
        super(message);
        if (status < 400 || status > 599)
            throw new IllegalArgumentException("status of an error must be 400 to 599, got " + status);
        this.status = status;
    }

    /** Returns the status, 400 to 599. */
    public int status() {
        return status;
    }
}
