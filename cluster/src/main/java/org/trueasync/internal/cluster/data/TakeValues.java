package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Takes up to so many values, and waits in line for the rest. Values that were taken for receivers who have left are put back in front first. */
@SuppressWarnings("serial") // it travels as our own kind
final class TakeValues extends ChannelCall {
    private long number;
    private int wanted;
    private boolean waits;
    private boolean past;
    private List<byte[]> back;

    TakeValues() {
        this(Wire.NOBODY, 0, 0, false, false, List.of());
    }

    /**
     * A call.
     *
     * @param number one more than the member's last one
     * @param wanted how many values
     * @param waits whether it waits for those that are not there
     * @param past whether it comes past those in front
     * @param back values that nobody wants here any more
     */
    TakeValues(UUID member, long number, int wanted, boolean waits, boolean past, List<byte[]> back) {
        super(member);
        this.number = number;
        this.wanted = wanted;
        this.waits = waits;
        this.past = past;
        this.back = back;
    }

    @Override
    boolean apply(ChannelState state, ChannelReply reply) {
        ChannelState.Link link = state.link(member);
        if (link.lastTake == number) {
            reply.values = link.taken;
            return false;
        }
        for (int i = back.size() - 1; i >= 0; i--) state.values.addFirst(back.get(i));
        int count = Math.min(wanted, state.receivers.within(state.values.size(), member, past));
        List<byte[]> taken = count <= 0 ? List.of() : new ArrayList<>(count);
        for (int i = 0; i < count; i++) taken.add(state.values.removeFirst());
        link.lastTake = number;
        reply.values = link.taken = taken;
        boolean over = state.closed != null && state.values.isEmpty();
        int left = waits && !over ? wanted - taken.size() : 0;
        if (left <= 0) state.receivers.leave(member);
        else if (taken.isEmpty()) state.receivers.stay(member, left);
        else state.receivers.join(member, left);
        return true;
    }

    @Override
    public int getClassId() {
        return Wire.TAKE_VALUES;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeLong(number);
        out.writeInt(wanted);
        out.writeBoolean(waits);
        out.writeBoolean(past);
        Wire.writeValues(out, back);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        number = in.readLong();
        wanted = in.readInt();
        waits = in.readBoolean();
        past = in.readBoolean();
        back = Wire.readValues(in);
    }
}
