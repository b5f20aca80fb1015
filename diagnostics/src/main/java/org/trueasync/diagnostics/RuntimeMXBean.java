package org.trueasync.diagnostics;

import org.trueasync.RuntimeStats;

/** A runtime, as JMX shows it. Any thread may ask, also while the loop is held. */
public interface RuntimeMXBean {
    /** Returns the runtime's name. */
    String getName();

    /** Returns true while it goes on with what is under way, before it ends. */
    boolean isDraining();

    /** Returns its counts; all of them are of one moment, unless the loop has been held for a second. */
    RuntimeStats getStats();

    /** Returns the tree of its scopes and coroutines, or what holds the loop. */
    String dump();

    /**
     * Returns the coroutines that wait for what no running code can reach. Holds the loop for a full garbage
     * collection.
     */
    String findStuck();
}
