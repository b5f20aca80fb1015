package org.trueasync;

import java.util.Map;

/**
 * What {@link Async#iterate(Map, IterateEntryAction)} does with each entry.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
public interface IterateEntryAction<K, V> {
    /**
     * Deals with one entry. May wait; then another coroutine goes on with the next entry.
     *
     * @param value of the entry
     * @param key of the entry
     * @return false if there shall be no further entries; true otherwise
     * @throws Throwable ends the iteration, which throws it
     */
    boolean visit(V value, K key) throws Throwable;
}
