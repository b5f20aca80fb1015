package org.trueasync.internal.event;

import org.trueasync.Coroutine;

/**
 * A place in the queue for what is lent: a mutex, a permit, a resource. Whoever can reach that can't end the wait, as
 * only its holders can, see {@link #addProducers}. So a search for stuck coroutines has the place let its coroutine go,
 * and ties that to the holders.
 */
public interface Lent extends WaitForNode, HeldByWakers {
    /** True if other code may have got what a holder has taken, and may give it back. */
    default boolean othersMayGiveBack() {
        return false;
    }

    /**
     * Lets its coroutine go, until {@link #hasAgain}.
     *
     * @return false if it can't, as other things can end the same wait
     */
    boolean letGo();

    /** Has its coroutine again, after {@link #letGo}; if the wait has ended meanwhile, this wakes it. Idempotent. */
    void hasAgain(Coroutine<?> waiting);
}
