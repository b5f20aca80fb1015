package org.trueasync.spi;

import java.time.Duration;

/** Creates timers of one runtime. Any thread; a timer itself is for its loop thread. */
public interface Timers {
    /**
     * Returns a timer that is not started. Once the delay has passed since its start, never early, it fires with the
     * value null and closes.
     *
     * @param delay >= 0; more than 73 years count as 73 years
     * @throws IllegalArgumentException if the delay is negative
     */
    TimerEvent oneShot(Duration delay);

    /**
     * Returns a timer that is not started. It fires with the value null, once in each period, until it is stopped. A
     * late firing does not delay the following ones; missed firings are not made up for.
     *
     * @param period > 0; more than 73 years count as 73 years
     * @throws IllegalArgumentException if the period is zero or negative
     */
    TimerEvent periodic(Duration period);
}
