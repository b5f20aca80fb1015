package org.trueasync.internal.time;

import java.time.Duration;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.TimerEvent;

/** A timer of a {@link TimerHeap}. */
public class HeapTimer extends TimerEvent {
    private final TimerHeap heap;
    private long delayNanos;
    private final long periodNanos;
    private boolean keepOpen;
    private long deadline;

    /** Place in the heap, -1 while not armed. */
    int index = -1;

    /** Order of arming, for equal deadlines. */
    long sequence;

    HeapTimer(TimerHeap heap, ActiveEvents activeEvents, long delayNanos, long periodNanos) {
        super(activeEvents);
        this.heap = heap;
        this.delayNanos = delayNanos;
        this.periodNanos = periodNanos;
    }

    @Override
    protected final void armSource() {
        deadline = heap.now() + delayNanos;
        heap.add(this, deadline);
    }

    @Override
    protected final void disarmSource() {
        if (index >= 0) heap.remove(this);
    }

    /**
     * Sets the delay of the next start.
     *
     * @param nanos >= 0
     */
    public final void setDelay(long nanos) {
        delayNanos = nanos;
    }

    @Override
    public final void rearm(Duration delay) {
        delayNanos = TimerHeap.nanos(delay);
        if (index < 0) return;
        heap.remove(this);
        armSource();
    }

    @Override
    public final TimerEvent keepOpen() {
        keepOpen = true;
        return this;
    }

    /** The deadline has come. */
    final void fire(long now) {
        heap.remove(this);
        if (periodNanos > 0) {
            // the next firing that is still ahead: what was missed is not made up
            long missed = (now - deadline) / periodNanos;
            deadline += (missed + 1) * periodNanos;
            heap.add(this, deadline);
        } else if (!keepOpen) {
            close();
        }
        notifyCallbacks(null, null);
        // A timer that fired is not armed any more, so whoever still holds a start must not be counted as able to be
        // woken by it.
        while (keepOpen && index < 0 && isActive()) stop();
    }

    @Override
    public String info() {
        return (periodNanos > 0 ? "periodic timer " : "timer ") + millis() + " ms"
                + (isClosed() ? ", fired" : index >= 0 ? "" : ", not started");
    }

    final long millis() {
        return delayNanos / 1_000_000;
    }

    @Override
    public boolean replay(org.trueasync.spi.EventCallback callback) {
        if (!isClosed()) return false;
        deliver(callback, null, null);
        return true;
    }
}
