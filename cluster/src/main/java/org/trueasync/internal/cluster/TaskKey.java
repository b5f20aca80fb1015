package org.trueasync.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * Identifies a task in the cluster.
 *
 * @param caller the member that has sent it
 * @param number of the task, counted by the caller
 */
record TaskKey(UUID caller, long number) {
    void write(ObjectDataOutput out) throws IOException {
        out.writeLong(caller.getMostSignificantBits());
        out.writeLong(caller.getLeastSignificantBits());
        out.writeLong(number);
    }

    static TaskKey read(ObjectDataInput in) throws IOException {
        return new TaskKey(new UUID(in.readLong(), in.readLong()), in.readLong());
    }
}
