package org.trueasync.internal.event;

import java.util.Collection;
import org.trueasync.Coroutine;

/**
 * A node of the wait-for graph: something that coroutines wait for, and that only certain coroutines can make happen.
 * See {@code internal.stall.WaitCycles}.
 */
public interface WaitForNode {
    /**
     * Adds the coroutines that can make it happen: the edges of the graph. Loop thread.
     *
     * @param by receives the coroutines
     * @return false if something else could make it happen as well: then a cycle is no deadlock
     */
    boolean addProducers(Collection<Coroutine<?>> by);
}
