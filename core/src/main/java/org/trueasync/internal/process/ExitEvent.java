package org.trueasync.internal.process;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** The end of a child; happens once, with its status, and can be awaited before and afterwards. */
public final class ExitEvent extends SourceEvent {
    private final ChildCore child;
    private @Nullable Integer status;

    ExitEvent(ActiveEvents activeEvents, ChildCore child) {
        super(activeEvents);
        this.child = child;
    }

    void happened(int exitStatus) {
        status = exitStatus;
        close();
        notifyCallbacks(status, null);
    }

    /** Nobody will see the end: who waits for it gets an error. */
    void lost(Throwable error) {
        close();
        notifyCallbacks(null, error);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}

    @Override
    public boolean replay(EventCallback callback) {
        if (status == null) return super.replay(callback);
        deliver(callback, status, null);
        return true;
    }

    @Override
    public String info() {
        return "end of child process " + child.shown() + (status == null ? "" : ", exit status " + status);
    }
}
