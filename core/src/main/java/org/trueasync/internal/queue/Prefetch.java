package org.trueasync.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * Reads ahead the memory that the next mounts need. With more ready coroutines than fit into the processor's caches,
 * each mount would wait for memory several times in a row. Reads for several entries do not depend on each other, so
 * they wait for memory together. A smaller crowd is in the cache already; there reading ahead costs more than it saves.
 */
public abstract class Prefetch {
    /** About a thousand suspended coroutines fill a second-level cache of a megabyte. */
    private static final int CROWD = 1_024;

    private static final int STEP = 8;

    private int untilNext;

    /** The result of the reads; keeps them from being optimised away. */
    private int seen;

    protected Prefetch() {}

    /**
     * Reads what the mount of an entry will read.
     *
     * @param entry the entry; null after the last one
     * @return a value that depends on what was read
     */
    protected abstract int readAhead(@Nullable Object entry);

    /** Called before each mount. */
    public void from(RunQueue queue) {
        if (queue.size() < CROWD) return;
        if (untilNext == 0) {
            untilNext = STEP;
            readAhead(queue);
        }
        untilNext--;
    }

    private void readAhead(RunQueue queue) {
        int sum = 0;
        for (int i = 0; i < STEP; i++) {
            sum += readAhead(queue.peek(i));
        }
        seen = sum;
    }

    @Override
    public String toString() {
        return untilNext + " ahead, " + seen;
    }
}
