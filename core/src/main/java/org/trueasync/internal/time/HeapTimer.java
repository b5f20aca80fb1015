package org.trueasync.internal.time;

import java.time.Duration;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.TimerEvent;

public class HeapTimer extends TimerEvent {
    private final TimerHeap heap;
    private long delayNanos;
    /** The period; 0 for a timer that fires once. */
    private long periodNanos;

    private boolean keepOpen;
    private boolean fired;
    /** When it is due, in nanoseconds of the reactor's clock. */
    private long deadline;

    private final TimerEntry entry = new TimerEntry() {
        @Override
        protected int readAhead() {
            return isClosed() ? 1 : 0;
        }

        @Override
        protected void fire(long now) {
            due(now);
        }
    };

    HeapTimer(TimerHeap heap, ActiveEvents activeEvents, long delayNanos, long periodNanos) {
        super(activeEvents);
        this.heap = heap;
        this.delayNanos = delayNanos;
        this.periodNanos = periodNanos;
    }

    @Override
    protected final void armSource() {
        deadline = heap.now() + delayNanos;
        heap.add(entry, deadline);
    }

    @Override
    protected final void disarmSource() {
        if (entry.isArmed()) heap.remove(entry);
    }

    @Override
    public final void rearm(Duration delay) {
        requireLoopThread();
        boolean periodic = periodNanos > 0;
        delayNanos = periodic ? TimerHeap.periodNanos(delay) : TimerHeap.nanos(delay);
        if (periodic) periodNanos = delayNanos;
        if (!entry.isArmed()) return;
        heap.remove(entry);
        armSource();
    }

    @Override
    public final TimerEvent keepOpen() {
        requireLoopThread();
        keepOpen = true;
        return this;
    }

    /** The time until it is due, in nanoseconds; 0 from then on. Only once it was started. */
    public final long remainingNanos() {
        return Math.max(0, deadline - heap.now());
    }

    private void due(long now) {
        heap.remove(entry);
        if (periodNanos > 0) {
            // the next time that is still ahead: missed ticks are not made up
            long missed = (now - deadline) / periodNanos;
            deadline += (missed + 1) * periodNanos;
            heap.add(entry, deadline);
        } else if (!keepOpen) {
            fired = true;
            close();
        }
        try {
            notifyCallbacks(null, null);
        } finally {
            // A timer that has fired is not armed any more, so remaining starts must not count as active.
            while (keepOpen && !entry.isArmed() && isActive()) stop();
        }
    }

    @Override
    public String info() {
        return (periodNanos > 0 ? "periodic timer " : "timer ") + millis() + " ms"
                + (fired ? ", fired" : isClosed() || entry.isArmed() ? "" : ", not started");
    }

    final long millis() {
        return delayNanos / 1_000_000;
    }

    @Override
    public boolean replay(org.trueasync.spi.EventCallback callback) {
        requireLoopThread();
        if (!isClosed()) return false;
        deliver(callback, null, fired ? null : disposedError());
        return true;
    }
}
