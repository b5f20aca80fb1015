package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the channel if there is none. */
@SuppressWarnings("serial") // it travels as our own kind
final class OpenChannel extends ChannelCall {
    private int capacity;

    OpenChannel() {
        this(Wire.NOBODY, 0);
    }

    OpenChannel(UUID member, int capacity) {
        super(member);
        this.capacity = capacity;
    }

    @Override
    @Nullable
    ChannelState stateOf(Map.Entry<String, ChannelState> entry) {
        ChannelState known = super.stateOf(entry);
        return known != null ? known : new ChannelState();
    }

    @Override
    void apply(ChannelState state, ChannelChange change, long now) {
        if (state.capacity == 0) change.open(state, capacity);
    }

    @Override
    public int getClassId() {
        return Wire.OPEN_CHANNEL;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeInt(capacity);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        capacity = in.readInt();
    }
}
