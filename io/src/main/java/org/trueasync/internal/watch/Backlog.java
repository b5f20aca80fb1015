package org.trueasync.internal.watch;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle.Change;

/**
 * Changes that were noticed and not taken yet. Bounded: if it is full, one change without a name stands for all that do
 * not fit, until it is taken. Loop thread only.
 */
interface Backlog {
    /** Result of {@link #due} if there are no changes. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Adds a change.
     *
     * @param change to add
     * @param now the runtime's clock, in nanoseconds
     */
    void add(Change change, long now);

    /**
     * Removes and returns the oldest change if it is due, else null.
     *
     * @param now the runtime's clock, in nanoseconds
     */
    @Nullable
    Change take(long now);

    /** Puts a change that was handed out but could not be used back in front of the others. */
    void giveBack(Change change);

    /**
     * Returns the time until a change is due.
     *
     * @param now the runtime's clock, in nanoseconds
     * @return nanoseconds, 0 or less if one is due; {@link #NEVER} if there are no changes
     */
    long due(long now);

    /** Makes all changes due at once, because no more will come. */
    void end();
}
