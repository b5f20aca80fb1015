package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock: the member that holds it, and those that wait. Only the member itself knows which of its
 * coroutines holds it.
 */
final class LockState implements KeeperCall.State, Wire.Kind {
    @Nullable
    UUID holder;
    /** Grows with each holder. */
    long fence;

    final MemberQueue waiting = new MemberQueue();

    /**
     * The fence that each member has given back last. A member that gets no answer, because the keeper dies, gives it
     * back again.
     */
    private final Map<UUID, Long> givenBack = new HashMap<>();

    void giveBack(UUID member) {
        holder = null;
        givenBack.put(member, fence);
    }

    boolean hasGivenBack(UUID member, long mine) {
        return givenBack.getOrDefault(member, 0L) == mine;
    }

    @Override
    public boolean concernsOthers(UUID member) {
        return waiting.hasOthers(member)
                || (holder != null && !holder.equals(member))
                || !givenBack.containsKey(member);
    }

    @Override
    public Set<UUID> departed(Set<UUID> members) {
        Set<UUID> departed = new HashSet<>();
        if (holder != null && !members.contains(holder)) departed.add(holder);
        for (UUID member : givenBack.keySet()) if (!members.contains(member)) departed.add(member);
        waiting.addDeparted(members, departed);
        return departed;
    }

    void forget(UUID member) {
        if (member.equals(holder)) holder = null;
        givenBack.remove(member);
        waiting.remove(member);
    }

    @Override
    public int getClassId() {
        return Wire.LOCK_STATE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeBoolean(holder != null);
        if (holder != null) Wire.writeId(out, holder);
        out.writeLong(fence);
        out.writeInt(givenBack.size());
        for (var each : givenBack.entrySet()) {
            Wire.writeId(out, each.getKey());
            out.writeLong(each.getValue());
        }
        waiting.write(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        if (in.readBoolean()) holder = Wire.readId(in);
        fence = in.readLong();
        for (int i = in.readInt(); i > 0; i--) givenBack.put(Wire.readId(in), in.readLong());
        waiting.read(in);
    }
}
