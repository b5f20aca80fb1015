package org.trueasync.bench.load;

import java.util.Arrays;

/** How long the messages of one window took; those that took two seconds and more count as two. */
final class Latencies {
    private static final long STEP_NANOS = 10_000;

    private final int[] counts = new int[200_000];
    private long since;

    /** Forgets all, and begins a window. */
    void begin(long now) {
        since = now;
        Arrays.fill(counts, 0);
    }

    /** Adds a message. If it was sent before the window, it is left out: meanwhile the server may have stood still. */
    void add(long sentAt, long doneAt) {
        if (sentAt - since < 0) return;
        counts[Math.clamp((doneAt - sentAt) / STEP_NANOS, 0, counts.length - 1)]++;
    }

    /** Returns the microseconds, in steps of 10, that 99 % of the messages took at most; 0 if there are none. */
    long percentile99() {
        long above = Arrays.stream(counts).asLongStream().sum() / 100;
        int step = counts.length - 1;
        for (long seen = counts[step]; step > 0 && seen <= above; seen += counts[step]) step--;
        return step * STEP_NANOS / 1_000;
    }
}
