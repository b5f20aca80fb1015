package org.trueasync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Channel} is closed: nothing can be sent any more, or nothing is left to receive.
 *
 * <p>Any thread.
 */
public class ChannelException extends AsyncException {
    private static final long serialVersionUID = 1;
    private final CloseReason reason;

    /**
     * Creates an exception for a channel that is closed.
     *
     * @param message which channel
     * @param reason why it was closed
     * @param cause the error that closed it, or null
     */
    public ChannelException(String message, CloseReason reason, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** Returns why the channel was closed. */
    public CloseReason reason() {
        return reason;
    }
}
