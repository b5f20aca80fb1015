package org.trueasync.testkit;

/** What may differ between two runs of an exploration. */
public enum Vary {
    /**
     * The decisions of the world outside, which correct code must tolerate: how long computing takes, when the loop
     * wakes, and the order and the moments in which things from {@link Outside} complete. Stalls add at most 4 ms of
     * virtual time to a run, so a timeout with more than that to spare does not fire because of them.
     */
    COMPLETIONS(1),

    /**
     * The order of the ready coroutines. The library promises first in, first out, so code that fails here is not wrong
     * but relies on that order. If that is not intended, a later change, such as one more {@code suspend} or await,
     * will break it. Coroutines of high priority stay first.
     */
    READY(2);

    /** The bit of this value in a seed. Must never change, so that old seeds keep their meaning. */
    final long bit;

    Vary(long bit) {
        this.bit = bit;
    }
}
