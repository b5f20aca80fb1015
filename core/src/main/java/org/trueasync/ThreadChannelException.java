package org.trueasync;

/**
 * A {@link ThreadChannel} is closed, or the runtime that it belongs to has ended: nothing can be sent any more, or
 * nothing is left to receive.
 *
 * <p>Any thread.
 */
public class ThreadChannelException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with this message.
     *
     * @param message which channel, and why
     */
    public ThreadChannelException(String message) {
        super(message);
    }
}
