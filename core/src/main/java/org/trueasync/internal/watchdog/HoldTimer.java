package org.trueasync.internal.watchdog;

import org.jspecify.annotations.Nullable;

/** Measures how long a loop has not moved, from samples of what it does. Nanoseconds; one thread. */
final class HoldTimer {
    private final long limit;
    private long progress = Long.MIN_VALUE;
    private @Nullable Object runs;
    private long since;
    private long looked;

    /**
     * A loop that nothing is known of.
     *
     * @param limit how long it may stand
     */
    HoldTimer(long limit) {
        this.limit = limit;
    }

    /**
     * One sample.
     *
     * @param now when
     * @param late by how much the sample comes later than it should: what held up the sampler (the collector, a debugger, a machine that slept) held up the loop
     * @param nowProgress changes when the loop does anything
     * @param nowRuns who runs, null in the loop's frame
     * @param free true if the loop waits for work, or ends
     * @return true if the loop has stood for as long as the limit, since it stands or since this was last said
     */
    boolean sample(long now, long late, long nowProgress, @Nullable Object nowRuns, boolean free) {
        if (free || nowProgress != progress || nowRuns != runs) {
            progress = nowProgress;
            runs = nowRuns;
            since = looked = now;
            return false;
        }
        if (late > limit / 2) {
            since += late;
            looked += late;
        }
        if (now - looked < limit) return false;
        looked = now;
        return true;
    }

    /** Since when the loop stands, as far as the samples tell. */
    long since() {
        return since;
    }
}
