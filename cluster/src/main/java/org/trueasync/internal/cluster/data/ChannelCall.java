package org.trueasync.internal.cluster.data;

import com.hazelcast.map.EntryProcessor;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call to a channel. The call runs on the keeper of the channel, on the engine's thread for that part of the data.
 * It decides what happens. The changes that must not get lost go to the member with the copy, as a
 * {@link ChannelChange}. If a call only joins the member queue, nothing is sent to the copy.
 */
@SuppressWarnings("serial") // Wire says how it travels, not Java serialisation
abstract class ChannelCall extends KeeperCall<ChannelState, ChannelReply> {
    private transient @Nullable ChannelChange change;

    ChannelCall(UUID member) {
        super(member);
    }

    @Override
    public final ChannelReply process(Map.Entry<String, ChannelState> entry) {
        var reply = new ChannelReply();
        change = null;
        ChannelState state = stateOf(entry);
        if (state == null) return reply;
        var change = new ChannelChange(List.copyOf(departed(state)));
        change.forgetDeparted(state);
        long now = state.clock.getAsLong();
        apply(state, change, now);
        state.receivers.serve(state.values.size(), now, (to, count) -> change.give(state, to, count));
        state.addWakeUps(reply);
        entry.setValue(state);
        reply.found = true;
        reply.closed = state.closed;
        reply.size = state.values.size();
        reply.capacity = state.capacity;
        answer(state, reply);
        this.change = change;
        Deliveries deliveries = Deliveries.of(engine());
        if (deliveries != null && !deliveries.leftToCopy(entry.getKey(), change))
            deliveries.send(change.deliveries(state, entry.getKey()));
        return reply;
    }

    @SuppressWarnings("NullAway") // null if the map has no entry for the key
    @Nullable
    ChannelState stateOf(Map.Entry<String, ChannelState> entry) {
        return entry.getValue();
    }

    /** Changes the state as this kind of call does. Notes in {@code change} what must not get lost. */
    abstract void apply(ChannelState state, ChannelChange change, long now);

    /** Adds to the reply what this kind of call needs. */
    void answer(ChannelState state, ChannelReply reply) {}

    @Override
    @SuppressWarnings("NullAway") // null means that the member with the copy has nothing to do
    public final @Nullable EntryProcessor<String, ChannelState, ChannelReply> getBackupProcessor() {
        ChannelChange made = change;
        return made == null || made.isEmpty() ? null : made;
    }
}
