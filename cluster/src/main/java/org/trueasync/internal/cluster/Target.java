package org.trueasync.internal.cluster;

import com.hazelcast.cluster.Member;

/** Chooses the member that gets a task; asked again when the task is sent again. */
@FunctionalInterface
interface Target {
    /** Returns the member to send to now. */
    Member next();
}
