package org.trueasync.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * Fetches from memory what the next mounts will need. With more coroutines ready than the processor's caches hold, each mount begins by waiting
 * for memory, several times in a row; looked at a few at a time, which do not depend on each other, they are waited for at once. A smaller crowd
 * is in the cache already, where looking costs more than it brings.
 */
public abstract class Prefetch {
    /** About a thousand suspended coroutines fill a second-level cache of a megabyte. */
    private static final int CROWD = 1_024;

    private static final int STEP = 8;

    private int left;

    /** Keeps the looks from being optimised away. */
    private int seen;

    /** Nothing ahead so far. */
    protected Prefetch() {}

    /**
     * Reads what the mount of an entry will read.
     *
     * @param entry null behind the last one
     * @return something of it, so that it must be read
     */
    protected abstract int look(@Nullable Object entry);

    /** Called before each mount. */
    public void from(RunQueue queue) {
        if (queue.size() < CROWD) return;
        if (left == 0) {
            left = STEP;
            look(queue);
        }
        left--;
    }

    private void look(RunQueue queue) {
        int sum = 0;
        for (int i = 0; i < STEP; i++) {
            sum += look(queue.peek(i));
        }
        seen = sum;
    }

    @Override
    public String toString() {
        return left + " ahead, " + seen;
    }
}
