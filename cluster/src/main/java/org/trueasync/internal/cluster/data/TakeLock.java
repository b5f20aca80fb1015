package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/** Takes the lock if it is free for this member, or waits in the queue. */
@SuppressWarnings("serial") // it travels as our own kind
final class TakeLock extends LockCall {
    private boolean waits;
    private boolean passing;
    private long clockMillis;

    TakeLock() {
        this(Wire.NOBODY, false, false, 0);
    }

    /**
     * A call.
     *
     * @param waits true to wait in the queue if the lock is not free
     * @param passing true to pass the members in front
     * @param clockMillis the time by the caller's clock: the first fence of a lock of which nothing is known
     */
    TakeLock(UUID member, boolean waits, boolean passing, long clockMillis) {
        super(member);
        this.waits = waits;
        this.passing = passing;
        this.clockMillis = clockMillis;
    }

    @Override
    void apply(LockState state, LockReply reply) {
        if (member.equals(state.holder)) reply.fence = state.fence;
        else if (state.holder == null && state.waiting.shareOf(1, member, passing) > 0) {
            state.holder = member;
            state.fence = state.fence == 0 ? clockMillis : state.fence + 1;
            state.waiting.remove(member);
            reply.fence = state.fence;
        } else if (waits) state.waiting.update(member, 1, 0, 0);
    }

    @Override
    public int getClassId() {
        return Wire.TAKE_LOCK;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        super.writeData(out);
        out.writeBoolean(waits);
        out.writeBoolean(passing);
        out.writeLong(clockMillis);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        super.readData(in);
        waits = in.readBoolean();
        passing = in.readBoolean();
        clockMillis = in.readLong();
    }
}
