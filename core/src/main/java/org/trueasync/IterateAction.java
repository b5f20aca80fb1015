package org.trueasync;

/**
 * What {@link Async#iterate(Iterable, IterateAction)} does with each item.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
public interface IterateAction<E> {
    /**
     * Deals with one item. May wait; then another coroutine goes on with the next item.
     *
     * @param item of the source
     * @return false if there shall be no further items; true otherwise
     * @throws Throwable ends the iteration, which throws it
     */
    boolean visit(E item) throws Throwable;
}
