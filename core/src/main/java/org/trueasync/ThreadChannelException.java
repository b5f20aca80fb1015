package org.trueasync;

/**
 * A {@link ThreadChannel} takes or gives nothing more: it was closed, or the runtime that it belongs to has ended.
 *
 * <p>Any thread.
 */
public class ThreadChannelException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * An exception with this message.
     *
     * @param message which channel, and why
     */
    public ThreadChannelException(String message) {
        super(message);
    }
}
