package org.trueasync.internal.event;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * A node of the wait-for graph: something that coroutines wait for, and that only certain coroutines can make happen.
 * Diagnostics look for cycles in it.
 */
public interface WaitForNode {
    /**
     * Adds the coroutines that can make it happen: the edges of the graph. Loop thread.
     *
     * @param by receives the coroutines
     * @return false if something else could make it happen as well: then a cycle is no deadlock
     */
    boolean addProducers(Collection<Coroutine<?>> by);

    /**
     * Adds the numbers of the coroutines that hold what is waited for, as far as they are known. For reports.
     *
     * @param ids receives them
     */
    default void addHolders(Collection<Long> ids) {}

    /**
     * A coroutine without which it can't happen: one step along the graph, for each wait that begins. So it takes no
     * memory, and may miss some. Loop thread.
     *
     * @param sought returned if it is such a coroutine
     * @return if it is not: another one, if there is only one; else null
     */
    default @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        return null;
    }
}
