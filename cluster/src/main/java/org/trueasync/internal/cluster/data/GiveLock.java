package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/** Gives the lock back, if this member still has it with this fence; leaves the queue too. */
@SuppressWarnings("serial") // it travels as our own kind
final class GiveLock extends LockCall {
    private long fence;

    GiveLock() {
        this(Wire.NOBODY, 0);
    }

    /**
     * A call.
     *
     * @param fence the one that the member got with the lock; 0 for any
     */
    GiveLock(UUID member, long fence) {
        super(member);
        this.fence = fence;
    }

    @Override
    void apply(LockState state, LockReply reply) {
        state.waiting.remove(member);
        if (fence != 0 && state.hasGivenBack(member, fence)) reply.fence = fence;
        if (!member.equals(state.holder) || (fence != 0 && fence != state.fence)) return;
        state.giveBack(member);
        reply.fence = state.fence;
    }

    @Override
    public int getClassId() {
        return Wire.GIVE_LOCK;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeLong(fence);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        fence = in.readLong();
    }
}
