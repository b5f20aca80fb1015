package org.trueasync;

import java.util.Map;

/**
 * The action of {@link Async#iterate(Map, IterateEntryAction)} for each entry.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
public interface IterateEntryAction<K, V> {
    /**
     * Handles one entry. May wait. While it waits, another coroutine goes on with the next entry, unless as many
     * actions are in progress as the iteration allows.
     *
     * @param value the entry's value
     * @param key the entry's key
     * @return false to stop after this entry; true to go on
     * @throws Throwable any error; it ends the iteration, which throws it, a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     */
    boolean visit(V value, K key) throws Throwable;
}
