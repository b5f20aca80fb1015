package org.trueasync.internal.group;

/** Delivers the outcomes of a group. Its methods queue waiters, and run no user code. */
interface GroupDelivery {
    /** Called when a task has settled and is in its queue. */
    void settled(GroupTask task);

    /** Called when no more tasks come and all have settled. */
    void over();

    /** True if somebody waits for the errors of all tasks up to this one or a later one. */
    boolean awaitsErrorOf(GroupTask task);
}
