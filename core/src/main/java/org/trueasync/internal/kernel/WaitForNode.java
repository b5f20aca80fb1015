package org.trueasync.internal.kernel;

import java.util.Collection;

/** Something that can be waited for, and that only certain coroutines can bring about, by running on. See {@link WaitCycles}. */
public interface WaitForNode {
    /**
     * Adds those coroutines. Loop thread.
     *
     * @param by where they go
     * @return false if anybody else could bring it about as well: then nothing is to be concluded
     */
    boolean addThoseWhoCan(Collection<CoroutineImpl<?>> by);
}
