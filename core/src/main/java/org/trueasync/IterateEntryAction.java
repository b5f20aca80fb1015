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
     * Handles one entry. May wait; then another coroutine goes on with the next entry.
     *
     * @param value of the entry
     * @param key of the entry
     * @return false to stop after this entry; true to go on
     * @throws Throwable any error; it ends the iteration, which throws it
     */
    boolean visit(V value, K key) throws Throwable;
}
