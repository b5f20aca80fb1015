package org.trueasync.internal.group;

/** Who gets the outcomes of a group. What is called here queues those who wait, and runs nobody's code. */
interface Delivery {
    /** A task has settled, and is in its line. */
    void settled(GroupTask task);

    /** No more tasks come, and all have settled. */
    void over();
}
