package org.trueasync.internal.channel;

import org.trueasync.ChannelException;
import org.trueasync.CloseReason;

/** Wakes whoever waits at a channel that is closed. It says nothing itself: who is woken makes an exception with its own stack of it. */
final class ClosedWakeup extends ChannelException {
    private static final long serialVersionUID = 1;

    ClosedWakeup(CloseReason reason) {
        super("the channel was closed", reason, null);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** By the type that users know. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return ChannelException.class.getName() + ": " + getMessage();
    }
}
