package org.trueasync.spi;

/**
 * Takes the choice of who runs next away from the run queue. For tests that look whether code depends on more than it should: what
 * {@link org.trueasync.Async} promises is first in, first out.
 *
 * <p>Called on the loop thread.
 *
 * @see org.trueasync.AsyncRuntime.Builder#runOrder
 */
@FunctionalInterface
public interface RunOrder {
    /**
     * Chooses among those that are ready. Coroutines of high priority are not among them: they run first, as always. On the loop thread, also in the
     * middle of a coroutine's wait; neither blocks nor throws nor touches the runtime.
     *
     * @param ready how many there are, 2 or more
     * @return how many of them go on waiting although they have waited for longer: 0 for the one whose turn it is, up to {@code ready - 1}
     */
    int choose(int ready);
}
