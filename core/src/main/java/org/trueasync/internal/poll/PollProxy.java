package org.trueasync.internal.poll;

import java.util.function.BooleanSupplier;
import org.trueasync.PollException;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.PollHandle;

/** One waiter's share of a {@link Watch}, with its own interest. */
final class PollProxy extends PollEvent {
    private final Watches watches;
    private final int descriptor;
    private final int interest;
    private final BooleanSupplier buffered;

    PollProxy(Watches watches, ActiveEvents activeEvents, int descriptor, int interest, BooleanSupplier buffered) {
        super(activeEvents);
        this.watches = watches;
        this.descriptor = descriptor;
        this.interest = interest;
        this.buffered = buffered;
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public int interest() {
        return interest;
    }

    @Override
    protected void armSource() {
        if ((interest & PollHandle.READABLE) != 0 && buffered.getAsBoolean())
            notifyCallbacks(PollHandle.READABLE, null);
        else watches.join(this);
    }

    @Override
    protected void disarmSource() {
        watches.leave(this);
    }

    void ready(int mask) {
        notifyCallbacks(mask & (interest | PollHandle.DISCONNECT), null);
    }

    void failed(PollException error) {
        notifyCallbacks(null, error);
    }

    @Override
    public String info() {
        String wanted = interest == PollHandle.READABLE
                ? "readable"
                : interest == PollHandle.WRITABLE ? "writable" : "readable or writable";
        return "descriptor " + descriptor + " " + wanted;
    }
}
