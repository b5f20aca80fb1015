package org.trueasync.internal.event;

import org.jspecify.annotations.Nullable;

/**
 * Something to wait for, to which whatever can make it happen refers, directly or not, and which refers to those that
 * wait. So a wait for it that no running code can reach lasts for ever. Not for events that refer to their waiters, or
 * to which the reactor refers, by a weak reference; nor for pools, which the runtime knows until it closes them, but
 * see {@link Lent}.
 */
public interface HeldByWakers {
    /** True if the thing is held so, with all that it consists of. */
    static boolean is(@Nullable Object awaited) {
        return awaited instanceof HeldByWakers known && known.areAllHeld();
    }

    /** False if it consists of others that are not all held so. */
    default boolean areAllHeld() {
        return true;
    }

    /**
     * Called on the loop thread when it has been out of reach for a while: weak references to it have been cleared.
     * What they were needed for is to be set up again.
     */
    default void isReachableAgain() {}
}
