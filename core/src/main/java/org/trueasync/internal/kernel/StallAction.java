package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Something that is done when nothing else in the runtime can make progress, and that may let somebody go on: a deadlock is considered after it. */
public abstract class StallAction {
    @Nullable
    StallAction previous;

    @Nullable
    StallAction next;

    boolean listed;

    /** One that is not asked for. */
    protected StallAction() {}

    /** Does it. In a service coroutine; it may remove any of them. */
    protected abstract void resort();
}
