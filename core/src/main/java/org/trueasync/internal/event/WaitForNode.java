package org.trueasync.internal.event;

import java.util.Collection;
import org.trueasync.Coroutine;

/** A node of the wait-for graph: something that coroutines wait for and that only certain coroutines can bring about. See {@code internal.stall.WaitCycles}. */
public interface WaitForNode {
    /**
     * Adds those coroutines, the edges of the graph. Loop thread.
     *
     * @param by where they go
     * @return false if somebody else could bring it about as well: then a cycle proves nothing
     */
    boolean addProducers(Collection<Coroutine<?>> by);
}
