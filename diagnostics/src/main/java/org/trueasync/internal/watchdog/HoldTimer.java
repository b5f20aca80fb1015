package org.trueasync.internal.watchdog;

import org.jspecify.annotations.Nullable;

/**
 * Measures how long a loop has not moved because of its own code, from samples of what it does. Nanoseconds; one
 * thread.
 */
final class HoldTimer {
    /** Tells which part of a time is the code's own, see {@link OwnTime}. */
    interface OwnShare {
        void begin();

        long part(long elapsed, long late);
    }

    private final long limit;
    private final OwnShare ownShare;
    private long progress = Long.MIN_VALUE;
    private @Nullable Object runs;
    private long since;
    private long held;
    private long reported;

    /**
     * Makes a timer that has no sample yet.
     *
     * @param limit how long it may stand
     * @param ownShare tells which part of a time is the code's own
     */
    HoldTimer(long limit, OwnShare ownShare) {
        this.limit = limit;
        this.ownShare = ownShare;
    }

    /**
     * Takes one sample.
     *
     * @param now when
     * @param elapsed since the last one
     * @param late by how much the sample comes later than it should: what held up the sampler (the collector, a
     *     debugger, a machine that slept) held up the loop
     * @param nowProgress changes when the loop does anything
     * @param nowRuns what runs, null in the loop's frame
     * @param free true if the loop waits for work, or ends
     * @return true if the loop has been held for the limit, since the hold began or since this was last true
     */
    boolean sample(long now, long elapsed, long late, long nowProgress, @Nullable Object nowRuns, boolean free) {
        if (free || nowProgress != progress || nowRuns != runs) {
            progress = nowProgress;
            runs = nowRuns;
            since = now;
            held = reported = 0;
            if (!free) ownShare.begin();
            return false;
        }
        held += ownShare.part(elapsed, late);
        if (held - reported < limit) return false;
        reported = held;
        return true;
    }

    /** Begins to measure anew, as what was measured so far is not reliable. The hold is still the same one. */
    void forget() {
        held = reported = 0;
        ownShare.begin();
    }

    /** True if the loop has been held for half the limit or longer. */
    boolean isSuspicious() {
        return held >= limit / 2;
    }

    /** When the present hold began: at its first sample. */
    long since() {
        return since;
    }

    /** For how long the loop has been held since then, or since {@link #forget}, because of its own code. */
    long held() {
        return held;
    }
}
