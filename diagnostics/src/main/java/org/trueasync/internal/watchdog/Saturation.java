package org.trueasync.internal.watchdog;

import java.util.concurrent.TimeUnit;
import org.trueasync.internal.time.LoopLoad;

/**
 * Decides when a saturated loop is reported: one that has waited for work for less than a tenth of
 * {@link LoopLoad#SPAN}, or lets others wait for long. It is reported at once, and then at most once a minute. One
 * thread; nanoseconds of the reactor's clock.
 */
final class Saturation {
    private static final double MAX_UTILISATION = 0.9;
    private static final double MAX_LAG = 100_000_000;
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private boolean told;
    private long toldAt;
    private boolean holdTold;
    private long holdToldAt;

    /** True if the loop is halfway to its limits: time to look where it computes. */
    static boolean isNear(double utilisation, double lag) {
        return utilisation > MAX_UTILISATION / 2 || lag > MAX_LAG / 2;
    }

    /**
     * Notes that a hold was reported. If it is only such holds that let others wait, they are told again a minute
     * later.
     *
     * @param now the time
     */
    void holdTold(long now) {
        holdTold = true;
        holdToldAt = now;
    }

    /**
     * True if a report is due; the caller makes it.
     *
     * @param now the time
     * @param utilisation of the last {@link LoopLoad#SPAN}
     * @param lag of the same time
     */
    boolean isDue(long now, double utilisation, double lag) {
        boolean busy = utilisation > MAX_UTILISATION;
        boolean late = lag > MAX_LAG && !(holdTold && now - holdToldAt < QUIET);
        if ((!busy && !late) || (told && now - toldAt < QUIET)) return false;
        told = true;
        toldAt = now;
        return true;
    }
}
