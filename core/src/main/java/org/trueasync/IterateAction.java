package org.trueasync;

/**
 * The action of {@link Async#iterate(Iterable, IterateAction)} for each item.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
public interface IterateAction<E> {
    /**
     * Handles one item. May wait. While it waits, another coroutine goes on with the next item, unless as many actions
     * are in progress as the iteration allows.
     *
     * @param item an item of the source
     * @return false to stop after this item; true to go on
     * @throws Throwable any error; it ends the iteration, which throws it, a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     */
    boolean visit(E item) throws Throwable;
}
