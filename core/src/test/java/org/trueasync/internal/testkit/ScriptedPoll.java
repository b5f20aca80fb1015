package org.trueasync.internal.testkit;

import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SystemError;

/** A descriptor's watch that reports what the test says. */
public final class ScriptedPoll implements PollHandle {
    private final ScriptedReactor reactor;
    private final Listener listener;
    private int interest;
    private boolean closed;

    ScriptedPoll(ScriptedReactor reactor, Listener listener) {
        this.reactor = reactor;
        this.listener = listener;
    }

    /**
     * The descriptor is ready, in the next turn.
     *
     * @param mask for what
     */
    public void ready(int mask) {
        reactor.happens(this, () -> listener.onReady(mask));
    }

    /**
     * The descriptor can't be watched any more, in the next turn.
     *
     * @param error why
     */
    public void fails(SystemError error) {
        reactor.happens(this, () -> listener.onError(error));
    }

    /** What is watched. */
    public int interest() {
        return interest;
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void watch(int wanted) {
        interest = wanted;
    }

    @Override
    public void close() {
        closed = true;
    }
}
