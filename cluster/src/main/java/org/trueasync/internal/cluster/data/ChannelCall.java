package org.trueasync.internal.cluster.data;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call to a channel. It runs on the engine's thread for the channel's part of the data, first on the member that keeps it, then, if it has changed anything, on the one with
 * the copy. Both must come to the same state, so the second one is told what the first has found out about members.
 */
@SuppressWarnings("serial") // it travels as our own kind
abstract class ChannelCall
        implements EntryProcessor<String, ChannelState, ChannelReply>, HazelcastInstanceAware, Wire.Kind {
    UUID member;
    private @Nullable List<UUID> departed;
    private transient @Nullable HazelcastInstance engine;
    private transient boolean changed;

    ChannelCall(UUID member) {
        this.member = member;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    @Override
    public final ChannelReply process(Map.Entry<String, ChannelState> entry) {
        var reply = new ChannelReply();
        changed = false;
        ChannelState state = stateOf(entry);
        if (state == null) return reply;
        for (UUID gone : departed(state)) changed |= state.forget(gone);
        changed |= apply(state, reply);
        changed |= state.callWaiters(reply);
        if (changed) entry.setValue(state);
        reply.found = true;
        reply.closed = state.closed;
        reply.size = state.values.size();
        reply.capacity = state.capacity;
        return reply;
    }

    @SuppressWarnings("NullAway") // a key without an entry has none
    @Nullable
    ChannelState stateOf(Map.Entry<String, ChannelState> entry) {
        return entry.getValue();
    }

    /** Does it; true if that changed the state. */
    abstract boolean apply(ChannelState state, ChannelReply reply);

    private List<UUID> departed(ChannelState state) {
        List<UUID> known = departed;
        if (known != null) return known;
        HazelcastInstance here = engine;
        List<UUID> found = List.of();
        if (here != null && state.concernsOthers(member)) {
            Set<UUID> members = new HashSet<>();
            for (Member each : here.getCluster().getMembers()) members.add(each.getUuid());
            found = List.copyOf(state.departed(members));
        }
        departed = found;
        return found;
    }

    @Override
    @SuppressWarnings("NullAway") // null: nothing to do there
    public final @Nullable EntryProcessor<String, ChannelState, ChannelReply> getBackupProcessor() {
        return changed ? this : null;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeId(out, member);
        List<UUID> gone = departed;
        out.writeBoolean(gone != null);
        if (gone != null) Wire.writeIds(out, gone);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        member = Wire.readId(in);
        if (in.readBoolean()) departed = Wire.readIds(in);
    }
}
