package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;

/** Closes the channel; the first reason stays. */
@SuppressWarnings("serial") // it travels as our own kind
final class CloseChannel extends ChannelCall {
    private String why;

    CloseChannel() {
        this(Wire.NOBODY, "");
    }

    CloseChannel(UUID member, String why) {
        super(member);
        this.why = why;
    }

    @Override
    void apply(ChannelState state, ChannelChange change, long now) {
        if (state.closed == null) change.close(state, why);
    }

    @Override
    public int getClassId() {
        return Wire.CLOSE_CHANNEL;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeString(why);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        why = Objects.requireNonNull(in.readString());
    }
}
