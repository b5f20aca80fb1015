package org.trueasync.testkit;

/** What may differ between two runs of an exploration. */
public enum Vary {
    /**
     * What the world outside decides, and correct code has to bear: how long computing takes, when the loop wakes, in which order and at which moment
     * what is {@link Outside} completes. In one run all of that takes up to 4 ms of virtual time, beside what it waits for: timeouts that have as much
     * to spare do not fire for it.
     */
    COMPLETIONS(1),

    /**
     * The order of the coroutines that are ready. That order is promised: first in, first out. Code that fails here is not wrong, but relies
     * on it; where that is not meant, a later {@code suspend} or another await in front will break it. High priority stays first.
     */
    READY(2);

    /** Its bit in a seed: what a seed has once named must stay. */
    final long bit;

    Vary(long bit) {
        this.bit = bit;
    }
}
