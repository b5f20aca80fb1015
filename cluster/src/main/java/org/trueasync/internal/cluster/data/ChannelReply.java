package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link ChannelCall}. */
final class ChannelReply implements Wire.Kind {
    /** False if there is no such channel: it was lost with the members that kept it. */
    boolean found;
    /** How many of the values that were sent were accepted, from the first on. */
    int accepted;
    /** How many values the member was given before {@link #values}. */
    long before;
    /** The values that were given to the member, in this call or before, and that it had not got when it called. */
    List<byte[]> values = List.of();
    /** Why the channel is closed; null while it is open. */
    @Nullable
    String closed;

    int size;
    int capacity;
    /** Members that the caller is to wake. */
    List<UUID> receivers = List.of();

    List<UUID> senders = List.of();

    @Override
    public int getClassId() {
        return Wire.CHANNEL_REPLY;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeBoolean(found);
        out.writeInt(accepted);
        out.writeLong(before);
        Wire.writeValues(out, values);
        out.writeString(closed);
        out.writeInt(size);
        out.writeInt(capacity);
        Wire.writeIds(out, receivers);
        Wire.writeIds(out, senders);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        found = in.readBoolean();
        accepted = in.readInt();
        before = in.readLong();
        values = Wire.readValues(in);
        closed = in.readString();
        size = in.readInt();
        capacity = in.readInt();
        receivers = Wire.readIds(in);
        senders = Wire.readIds(in);
    }
}
