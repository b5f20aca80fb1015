package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Puts in as many values as there is room for, and waits in line for the rest. */
@SuppressWarnings("serial") // it travels as our own kind
final class SendValues extends ChannelCall {
    private long number;
    private List<byte[]> values;
    private int waiting;
    private boolean past;

    SendValues() {
        this(Wire.NOBODY, 0, List.of(), 0, false);
    }

    /**
     * A call.
     *
     * @param number one more than the member's last one
     * @param waiting how many senders this member has; 0: it does not wait
     * @param past whether it comes past those in front
     */
    SendValues(UUID member, long number, List<byte[]> values, int waiting, boolean past) {
        super(member);
        this.number = number;
        this.values = values;
        this.waiting = waiting;
        this.past = past;
    }

    @Override
    boolean apply(ChannelState state, ChannelReply reply) {
        ChannelState.Link link = state.link(member);
        if (link.lastSend == number) {
            reply.accepted = link.accepted;
            return false;
        }
        int count =
                state.closed != null ? 0 : Math.min(values.size(), state.senders.within(state.free(), member, past));
        for (byte[] value : values.subList(0, Math.max(0, count))) state.values.addLast(value);
        link.lastSend = number;
        reply.accepted = link.accepted = Math.max(0, count);
        int left = state.closed != null ? 0 : waiting - reply.accepted;
        if (left <= 0) state.senders.leave(member);
        else if (reply.accepted == 0) state.senders.stay(member, left);
        else state.senders.join(member, left);
        return true;
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
        out.writeBoolean(past);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        number = in.readLong();
        values = Wire.readValues(in);
        waiting = in.readInt();
        past = in.readBoolean();
    }
}
