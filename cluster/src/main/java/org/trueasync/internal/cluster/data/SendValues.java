package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Adds as many values as there is room for, and joins the queue for the rest. */
@SuppressWarnings("serial") // it travels as our own kind
final class SendValues extends ChannelCall {
    private long number;
    private List<byte[]> values;
    private int waiting;
    private boolean passing;

    SendValues() {
        this(Wire.NOBODY, 0, List.of(), 0, false);
    }

    /**
     * A call.
     *
     * @param number one more than that of the member's last call
     * @param waiting how many senders this member has; 0 to join no queue
     * @param passing true to pass the members in front
     */
    SendValues(UUID member, long number, List<byte[]> values, int waiting, boolean passing) {
        super(member);
        this.number = number;
        this.values = values;
        this.waiting = waiting;
        this.passing = passing;
    }

    @Override
    void apply(ChannelState state, ChannelChange change, long now) {
        ChannelState.Link link = state.link(member);
        if (number <= link.lastSend) return;
        boolean open = state.closed == null;
        int room = open ? state.senders.shareOf(state.free(), member, passing) : 0;
        int count = Math.clamp(room, 0, values.size());
        link.lastSend = number;
        link.accepted = count;
        if (count > 0) change.add(state, member, number, List.copyOf(values.subList(0, count)));
        state.senders.update(member, open ? waiting - count : 0, count, now);
    }

    @Override
    void answer(ChannelState state, ChannelReply reply) {
        reply.accepted = state.link(member).accepted;
    }

    @Override
    public int getClassId() {
        return Wire.SEND_VALUES;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeLong(number);
        Wire.writeValues(out, values);
        out.writeInt(waiting);
        out.writeBoolean(passing);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        number = in.readLong();
        values = Wire.readValues(in);
        waiting = in.readInt();
        passing = in.readBoolean();
    }
}
