package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one call has changed in a channel, except its queues of waiting members: made on the member that keeps the
 * channel, repeated on the member with the copy, in the order of the fields. The member with the copy also delivers the
 * values that were given without a call of their receiver: so no member has a value of which the copy does not know.
 */
@SuppressWarnings("serial") // it travels as our own kind
final class ChannelChange
        implements EntryProcessor<String, ChannelState, ChannelReply>, HazelcastInstanceAware, Wire.Kind {
    /**
     * {@code count} values for a member that was given {@code before} values until then, and has confirmed the first
     * {@code confirmed} of them.
     */
    private record Transfer(UUID member, long confirmed, long before, int count, boolean toCaller) {}

    private List<UUID> departed;
    private int capacity;
    private @Nullable String closed;
    /**
     * The member that made the call; its number is in {@link #send} or {@link #take}, at most one of which is noted.
     */
    private UUID caller = Wire.NOBODY;

    private long send;
    private List<byte[]> added = List.of();
    private long take;
    private List<byte[]> back = List.of();
    private final List<Transfer> transfers = new ArrayList<>();
    private boolean delivers;
    private transient @Nullable HazelcastInstance engine;

    ChannelChange() {
        this(List.of());
    }

    ChannelChange(List<UUID> departed) {
        this.departed = departed;
    }

    boolean isEmpty() {
        return departed.isEmpty()
                && capacity == 0
                && closed == null
                && added.isEmpty()
                && back.isEmpty()
                && transfers.isEmpty();
    }

    // ---- recorded, and applied to the keeper's state at once

    void forgetDeparted(ChannelState state) {
        for (UUID gone : departed) state.forget(gone);
    }

    void open(ChannelState state, int room) {
        capacity = state.capacity = room;
    }

    void close(ChannelState state, String why) {
        closed = state.closed = why;
    }

    void add(ChannelState state, UUID from, long number, List<byte[]> values) {
        caller = from;
        send = number;
        added = values;
        addTo(state);
    }

    private void addTo(ChannelState state) {
        ChannelState.Link link = state.link(caller);
        link.lastSend = send;
        link.accepted = added.size();
        state.values.addAll(added);
    }

    void putBack(ChannelState state, UUID from, long number, List<byte[]> values) {
        caller = from;
        take = number;
        back = values;
        putBackTo(state);
    }

    private void putBackTo(ChannelState state) {
        state.link(caller).lastTake = take;
        state.putBack(back);
    }

    /** Gives values to a member that waits, or has waited, by a delivery. */
    void give(ChannelState state, UUID to, int count) {
        give(state, to, count, false);
    }

    /** Gives values to the caller, with the answer. */
    void giveToCaller(ChannelState state, UUID to, int count) {
        give(state, to, count, true);
    }

    private void give(ChannelState state, UUID to, int count, boolean toCaller) {
        if (count <= 0) return;
        ChannelState.Link link = state.link(to);
        transfers.add(new Transfer(to, link.confirmed(), link.last(), count, toCaller));
        state.moveTo(to, count);
    }

    // ---- values on their way

    boolean hasDeliveries() {
        for (Transfer transfer : transfers) if (!transfer.toCaller) return true;
        return false;
    }

    /** Has the member with the copy send the deliveries. */
    void leaveToCopy() {
        delivers = true;
    }

    /** Returns the values for members that have not asked for them with this call. */
    List<Delivery> deliveries(ChannelState state, String channel) {
        List<Delivery> deliveries = new ArrayList<>();
        for (Transfer transfer : transfers) {
            if (transfer.toCaller) continue;
            ChannelState.Link link = state.link(transfer.member);
            List<byte[]> values = link.unconfirmed().stream()
                    .skip(Math.max(0, transfer.before - link.confirmed()))
                    .limit(transfer.count)
                    .toList();
            deliveries.add(new Delivery(channel, transfer.member, transfer.before, values));
        }
        return deliveries;
    }

    // ---- on the member with the copy

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    @Override
    @SuppressWarnings("NullAway") // a key without an entry has none
    public ChannelReply process(Map.Entry<String, ChannelState> entry) {
        ChannelState known = entry.getValue();
        ChannelState state = known != null ? known : new ChannelState();
        state.receivers.clear();
        state.senders.clear();
        forgetDeparted(state);
        if (capacity > 0) state.capacity = capacity;
        if (closed != null) state.closed = closed;
        if (send > 0) addTo(state);
        if (take > 0) putBackTo(state);
        for (Transfer transfer : transfers) {
            state.link(transfer.member).continueAt(transfer.confirmed, transfer.before);
            state.moveTo(transfer.member, transfer.count);
        }
        entry.setValue(state);
        Deliveries deliveries = Deliveries.of(engine);
        if (delivers && deliveries != null) deliveries.send(deliveries(state, entry.getKey()));
        return new ChannelReply();
    }

    // ---- as bytes

    @Override
    public int getClassId() {
        return Wire.CHANNEL_CHANGE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeIds(out, departed);
        out.writeInt(capacity);
        out.writeString(closed);
        Wire.writeId(out, caller);
        out.writeLong(send);
        Wire.writeValues(out, added);
        out.writeLong(take);
        Wire.writeValues(out, back);
        out.writeInt(transfers.size());
        for (Transfer transfer : transfers) {
            Wire.writeId(out, transfer.member);
            out.writeLong(transfer.confirmed);
            out.writeLong(transfer.before);
            out.writeInt(transfer.count);
            out.writeBoolean(transfer.toCaller);
        }
        out.writeBoolean(delivers);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        departed = Wire.readIds(in);
        capacity = in.readInt();
        closed = in.readString();
        caller = Wire.readId(in);
        send = in.readLong();
        added = Wire.readValues(in);
        take = in.readLong();
        back = Wire.readValues(in);
        for (int i = in.readInt(); i > 0; i--)
            transfers.add(new Transfer(Wire.readId(in), in.readLong(), in.readLong(), in.readInt(), in.readBoolean()));
        delivers = in.readBoolean();
    }
}
