package org.trueasync.internal.foreign;

import java.util.function.BooleanSupplier;
import org.trueasync.PollException;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.PollHandle;

/**
 * One waiter's share of a {@link Watch}. It fires when the descriptor is ready in a way that the waiter waits for (its
 * interest), when the peer has disconnected, or with an error. If the waiter waits for bytes to read and the buffer of
 * the descriptor's owner has some, the proxy fires when it is started, without asking the system.
 */
final class PollProxy extends PollEvent {
    private final Watches watches;
    private final int descriptor;
    /** {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both. */
    private final int interest;
    /** True while the buffer of the descriptor's owner has bytes. */
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

    /**
     * Fires with what is ready of the interest, and with {@link PollHandle#DISCONNECT}.
     *
     * @param mask all that is ready
     */
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
