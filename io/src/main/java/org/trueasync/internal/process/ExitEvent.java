package org.trueasync.internal.process;

import org.trueasync.internal.event.OnceEvent;
import org.trueasync.spi.ActiveEvents;

/**
 * The end of a child. Happens once, with its exit status, or with an error if the child was detached; can be awaited
 * before and afterwards.
 */
public final class ExitEvent extends OnceEvent {
    private final ChildCore child;

    ExitEvent(ActiveEvents activeEvents, ChildCore child) {
        super(activeEvents);
        this.child = child;
    }

    void happened(int exitStatus) {
        happen(exitStatus, null);
    }

    /** Fails the event, because the end will not be reported. */
    void fail(Throwable error) {
        happen(null, error);
    }

    @Override
    public String info() {
        return "end of child process " + child.shown() + (value() == null ? "" : ", exit status " + value());
    }
}
