package org.trueasync.internal.watchdog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The last holds of a loop. Any thread. */
final class Holds {
    private static final int MAX = 50;

    private final List<Hold> last = new ArrayList<>(0);
    private long latestBegan;

    /**
     * Adds a hold, or replaces the last one, as it has gone on.
     *
     * @param began tells it from others
     * @param held what was found now
     */
    synchronized void add(long began, BlockedLoop held) {
        if (!last.isEmpty() && (latestBegan == began || last.size() == MAX))
            last.remove(latestBegan == began ? last.size() - 1 : 0);
        latestBegan = began;
        last.add(new Hold(Instant.now().minus(held.soFar()), held.soFar(), held.holder(), held.stack()));
    }

    synchronized List<Hold> all() {
        return List.copyOf(last);
    }
}
