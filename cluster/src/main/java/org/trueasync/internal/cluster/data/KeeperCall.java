package org.trueasync.internal.cluster.data;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call of a member to a channel or a lock. The call runs on the keeper, the member that keeps the channel or the
 * lock, on the engine's thread for that part of the data.
 */
@SuppressWarnings("serial") // Wire says how it travels, not Java serialisation
abstract class KeeperCall<S extends KeeperCall.State, R>
        implements EntryProcessor<String, S, R>, HazelcastInstanceAware, Wire.Kind {
    /** The state of a channel or a lock. It knows members: those that wait or have called, and the one that holds. */
    interface State {
        /**
         * True if the keeper must look for departed members: another member waits or holds the lock, or the state has
         * noted no call of this member yet.
         */
        boolean concernsOthers(UUID member);

        /** Returns the members that the state knows and that are not among the given ones. */
        Set<UUID> departed(Set<UUID> members);
    }

    UUID member;
    private transient @Nullable HazelcastInstance engine;

    KeeperCall(UUID member) {
        this.member = member;
    }

    @Override
    public final void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    /** Returns the engine of the keeper; null if the call runs without one. */
    final @Nullable HazelcastInstance engine() {
        return engine;
    }

    /** Returns the members that the state knows and that have left the cluster. */
    final Set<UUID> departed(S state) {
        HazelcastInstance here = engine;
        if (here == null || !state.concernsOthers(member)) return Set.of();
        Set<UUID> members = new HashSet<>();
        for (Member each : here.getCluster().getMembers()) members.add(each.getUuid());
        return state.departed(members);
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
