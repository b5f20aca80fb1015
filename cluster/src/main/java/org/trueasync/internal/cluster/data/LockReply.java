package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** The answer to a {@link LockCall}. */
final class LockReply implements Wire.Kind {
    /** The caller's fence; 0 if it does not hold the lock. */
    long fence;
    /** Members that the caller is to wake. */
    List<UUID> next = List.of();

    @Override
    public int getClassId() {
        return Wire.LOCK_REPLY;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeLong(fence);
        Wire.writeIds(out, next);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        fence = in.readLong();
        next = Wire.readIds(in);
    }
}
