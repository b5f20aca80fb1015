package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/** Takes the lock if it is free for this member, or waits in line. */
@SuppressWarnings("serial") // it travels as our own kind
final class TakeLock extends LockCall {
    private boolean waits;
    private boolean past;
    private long clock;

    TakeLock() {
        this(Wire.NOBODY, false, false, 0);
    }

    /**
     * A call.
     *
     * @param waits true to stand in line if the lock is not free
     * @param past true to pass the members in front
     * @param clock the caller's, in milliseconds: the first fence of a lock of which nothing is known
     */
    TakeLock(UUID member, boolean waits, boolean past, long clock) {
        super(member);
        this.waits = waits;
        this.past = past;
        this.clock = clock;
    }

    @Override
    void apply(LockState state, LockReply reply) {
        if (member.equals(state.holder)) reply.fence = state.fence;
        else if (state.holder == null && state.waiting.within(1, member, past) > 0) {
            state.holder = member;
            state.fence = state.fence == 0 ? clock : state.fence + 1;
            state.waiting.leave(member);
            reply.fence = state.fence;
        } else if (waits) state.waiting.await(member, 1, 0, 0);
    }

    @Override
    public int getClassId() {
        return Wire.TAKE_LOCK;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeBoolean(waits);
        out.writeBoolean(past);
        out.writeLong(clock);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        waits = in.readBoolean();
        past = in.readBoolean();
        clock = in.readLong();
    }
}
