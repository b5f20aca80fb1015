package org.trueasync.spi;

/**
 * Chooses the coroutine that runs next, in place of the run queue's first in, first out. For tests that find code which
 * depends on the order of coroutines.
 *
 * <p>Called on the loop thread.
 *
 * @see org.trueasync.AsyncRuntime.Builder#runOrder
 */
@FunctionalInterface
public interface RunOrder {
    /**
     * Chooses one of the ready coroutines. Coroutines of high priority are not offered: they run first in any case.
     * Called on the loop thread, also in the middle of a coroutine's wait; must not block, throw or call the runtime.
     *
     * @param ready number of coroutines offered, 2 or more
     * @return position in the run queue of the one to run: 0 for the one that has waited longest, up to
     *     {@code ready - 1}
     */
    int choose(int ready);
}
