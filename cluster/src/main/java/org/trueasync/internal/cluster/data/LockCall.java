package org.trueasync.internal.cluster.data;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One call to a lock. The copy gets the new state as a whole; it is small. Run twice it does the same as once. */
@SuppressWarnings("serial") // it travels as our own kind
abstract class LockCall implements EntryProcessor<String, LockState, LockReply>, HazelcastInstanceAware, Wire.Kind {
    UUID member;
    private transient @Nullable HazelcastInstance engine;
    private transient @Nullable LockState changed;

    LockCall(UUID member) {
        this.member = member;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    @Override
    @SuppressWarnings("NullAway") // a key without an entry has none
    public final LockReply process(Map.Entry<String, LockState> entry) {
        LockState known = entry.getValue();
        LockState state = known != null ? known : new LockState();
        for (UUID gone : departed(state)) state.forget(gone);
        var reply = new LockReply();
        apply(state, reply);
        if (state.holder == null) reply.next = state.waiting.call(1);
        entry.setValue(state);
        changed = state;
        return reply;
    }

    /** Does it. */
    abstract void apply(LockState state, LockReply reply);

    private Set<UUID> departed(LockState state) {
        HazelcastInstance here = engine;
        if (here == null || !state.concernsOthers(member)) return Set.of();
        Set<UUID> members = new HashSet<>();
        for (Member each : here.getCluster().getMembers()) members.add(each.getUuid());
        return state.departed(members);
    }

    @Override
    @SuppressWarnings("NullAway") // null: nothing to do there
    public final @Nullable EntryProcessor<String, LockState, LockReply> getBackupProcessor() {
        LockState state = changed;
        return state == null ? null : new PutLock(state);
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeId(out, member);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        member = Wire.readId(in);
    }
}
