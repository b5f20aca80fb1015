package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * Takes up to a number of values, and joins the queue for the rest. Before that, values that were taken for receivers
 * that have left are put back in front.
 */
@SuppressWarnings("serial") // it travels as our own kind
final class TakeValues extends ChannelCall {
    private long number;
    private int wanted;
    private boolean waits;
    private boolean passing;
    private List<byte[]> back;
    private long seen;

    TakeValues() {
        this(Wire.NOBODY, 0, 0, false, false, List.of(), 0);
    }

    /**
     * A call.
     *
     * @param number one more than that of the member's last call
     * @param wanted how many values, those included that are on their way
     * @param waits true to join the queue for values that are not there yet
     * @param passing true to pass the members in front
     * @param back values that the member gives back
     * @param seen how many values the member has got in all
     */
    TakeValues(UUID member, long number, int wanted, boolean waits, boolean passing, List<byte[]> back, long seen) {
        super(member);
        this.number = number;
        this.wanted = wanted;
        this.waits = waits;
        this.passing = passing;
        this.back = back;
        this.seen = seen;
    }

    @Override
    void apply(ChannelState state, ChannelChange change, long now) {
        ChannelState.Link link = state.link(member);
        link.confirm(seen);
        if (number <= link.lastTake) return;
        link.lastTake = number;
        if (!back.isEmpty()) change.putBack(state, member, number, back);
        // values that are on their way are repeated in the answer
        int missing = wanted - link.unconfirmed().size();
        int count = Math.clamp(state.receivers.shareOf(state.values.size(), member, passing), 0, Math.max(0, missing));
        change.giveToCaller(state, member, count);
        boolean over = state.closed != null && state.values.isEmpty();
        state.receivers.update(member, waits && !over ? missing - count : 0, count, now);
    }

    @Override
    void answer(ChannelState state, ChannelReply reply) {
        ChannelState.Link link = state.link(member);
        reply.before = link.confirmed();
        reply.values = List.copyOf(link.unconfirmed());
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
        out.writeBoolean(passing);
        Wire.writeValues(out, back);
        out.writeLong(seen);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        number = in.readLong();
        wanted = in.readInt();
        waits = in.readBoolean();
        passing = in.readBoolean();
        back = Wire.readValues(in);
        seen = in.readLong();
    }
}
