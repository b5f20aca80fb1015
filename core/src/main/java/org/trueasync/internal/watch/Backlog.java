package org.trueasync.internal.watch;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle.Change;

/**
 * What was noticed and has not been taken. Bounded: where it is full, one change without a name stands for all that does not fit, until it is
 * taken. Loop thread only.
 */
interface Backlog {
    /** What {@link #due} says when there is nothing to wait for. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Takes something in.
     *
     * @param change what
     * @param now the runtime's clock
     */
    void add(Change change, long now);

    /**
     * Hands the oldest out, if it is due.
     *
     * @param now the runtime's clock
     */
    @Nullable
    Change take(long now);

    /** Takes back what was handed out and could not be used, to the front. */
    void giveBack(Change change);

    /**
     * How long until something is due.
     *
     * @param now the runtime's clock
     * @return nanoseconds, 0 or less if it is; {@link #NEVER} if there is nothing
     */
    long due(long now);

    /** Nothing more will come: what is there is due. */
    void end();
}
