package org.trueasync.spi;

import java.time.Duration;

/** Creates timers of one runtime. Loop thread only, except {@code oneShot} and {@code periodic}. */
public interface Timers {
    /**
     * Returns a timer that is not started. Once the delay has passed since its start, never early, it fires with the
     * value null and closes.
     *
     * @param delay >= 0; a timer of more than 292 years never fires
     */
    TimerEvent oneShot(Duration delay);

    /**
     * Returns a timer that is not started. It fires once in each period until it is stopped. A late firing does not
     * delay the following ones; missed firings are not made up for.
     *
     * @param period > 0
     */
    TimerEvent periodic(Duration period);
}
