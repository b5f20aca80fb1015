package org.trueasync.internal.cluster;

import com.hazelcast.cluster.Member;

/** Who gets a task; asked again when a member was lost. */
@FunctionalInterface
interface Target {
    /** The member to send to, now. */
    Member next();
}
