package org.trueasync.internal.cluster.data;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One call to a lock. The copy gets the new state as a whole; it is small. Run twice it does the same as once. */
@SuppressWarnings("serial") // it travels as our own kind
abstract class LockCall extends KeeperCall<LockState, LockReply> {
    private transient @Nullable LockState changed;

    LockCall(UUID member) {
        super(member);
    }

    @Override
    @SuppressWarnings("NullAway") // a key without an entry has none
    public final LockReply process(Map.Entry<String, LockState> entry) {
        LockState known = entry.getValue();
        LockState state = known != null ? known : new LockState();
        for (UUID gone : departed(state)) state.forget(gone);
        var reply = new LockReply();
        apply(state, reply);
        if (state.holder == null) reply.next = state.waiting.membersToWake(1);
        entry.setValue(state);
        changed = state;
        return reply;
    }

    /** Makes the call's changes. */
    abstract void apply(LockState state, LockReply reply);

    @Override
    @SuppressWarnings("NullAway") // null: nothing to do there
    public final @Nullable EntryProcessor<String, LockState, LockReply> getBackupProcessor() {
        LockState state = changed;
        return state == null ? null : new PutLock(state);
    }
}
