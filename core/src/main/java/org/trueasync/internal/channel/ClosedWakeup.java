package org.trueasync.internal.channel;

import org.trueasync.ChannelException;
import org.trueasync.CloseReason;

/**
 * Wakes the waiters of a channel that is closed. Users don't see this exception: each woken coroutine throws another
 * one instead, with its own stack.
 */
final class ClosedWakeup extends ChannelException {
    private static final long serialVersionUID = 1;

    ClosedWakeup(CloseReason reason) {
        super("the channel was closed", reason, null);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** Names the public type. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return ChannelException.class.getName() + ": " + getMessage();
    }
}
