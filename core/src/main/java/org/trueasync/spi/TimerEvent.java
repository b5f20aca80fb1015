package org.trueasync.spi;

import java.time.Duration;

/**
 * A timer. It counts from {@link #start}, not from its creation.
 *
 * <p>Loop thread only.
 */
public abstract class TimerEvent extends SourceEvent {
    /**
     * A timer counted there.
     *
     * @param activeEvents the runtime's count
     */
    protected TimerEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /**
     * Sets another delay, counted from now if the timer is started; for a periodic timer it is the period as well, from now on. A timer that is to be
     * set again is not closed by firing: see {@link #keepOpen}.
     *
     * @param delay >= 0, for a periodic timer > 0
     * @throws IllegalArgumentException if it is less
     */
    public abstract void rearm(Duration delay);

    /** From now on firing stops a one-shot timer but does not close it, so that it can be started or rearmed again. Returns this. */
    public abstract TimerEvent keepOpen();
}
