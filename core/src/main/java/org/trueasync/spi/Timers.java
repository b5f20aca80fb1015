package org.trueasync.spi;

import java.time.Duration;

/** Makes timers of one runtime. Loop thread only, except {@code oneShot} and {@code periodic}. */
public interface Timers {
    /**
     * A timer that is not started. It fires with the value null once the delay has passed since it was started, never early, and then closes.
     *
     * @param delay >= 0; what does not fit into 292 years waits for ever
     */
    TimerEvent oneShot(Duration delay);

    /**
     * A timer that is not started. It fires each period until it is stopped; a late firing does not delay the following ones, but firings
     * missed altogether are not made up.
     *
     * @param period > 0
     */
    TimerEvent periodic(Duration period);
}
