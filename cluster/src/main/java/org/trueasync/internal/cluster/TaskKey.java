package org.trueasync.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * Which task of whom.
 *
 * @param caller the member that has sent it
 * @param number its own count
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
