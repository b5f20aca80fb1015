package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lock: the member that holds it, and those that wait. Which coroutine of the member holds it is that member's business. */
final class LockState implements KeeperCall.State, Wire.Kind {
    @Nullable
    UUID holder;
    /** Grows with each holder. */
    long fence;

    final Line waiting = new Line();

    @Override
    public boolean concernsOthers(UUID member) {
        return waiting.hasOthers(member) || (holder != null && !holder.equals(member));
    }

    @Override
    public Set<UUID> departed(Set<UUID> members) {
        Set<UUID> departed = new HashSet<>();
        if (holder != null && !members.contains(holder)) departed.add(holder);
        waiting.addOthers(members, departed);
        return departed;
    }

    void forget(UUID member) {
        if (member.equals(holder)) holder = null;
        waiting.leave(member);
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
        waiting.write(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        if (in.readBoolean()) holder = Wire.readId(in);
        fence = in.readLong();
        waiting.read(in);
    }
}
