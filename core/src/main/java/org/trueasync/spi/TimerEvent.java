package org.trueasync.spi;

import java.time.Duration;

/**
 * A timer. It counts from {@link #start}, not from its creation.
 *
 * <p>Loop thread only.
 */
public abstract class TimerEvent extends SourceEvent {
    /**
     * A timer that is counted as active while it is started.
     *
     * @param activeEvents the runtime's count
     */
    protected TimerEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /**
     * Sets another delay, counted from now if the timer is started. For a periodic timer it becomes the period too. To
     * set a one-shot timer again after it has fired, call {@link #keepOpen} first.
     *
     * @param delay >= 0, for a periodic timer > 0; more than 73 years count as 73 years
     * @throws IllegalArgumentException if the delay is out of range
     */
    public abstract void rearm(Duration delay);

    /**
     * Keeps a one-shot timer open: from now on firing stops it but does not close it, so that it can be started or
     * rearmed again. Returns this.
     */
    public abstract TimerEvent keepOpen();
}
