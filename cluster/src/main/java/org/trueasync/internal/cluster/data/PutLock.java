package org.trueasync.internal.cluster.data;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Map;

/** Brings a lock's new state to the member with the copy. */
@SuppressWarnings("serial") // it travels as our own kind
final class PutLock implements EntryProcessor<String, LockState, LockReply>, Wire.Kind {
    private LockState state;

    PutLock() {
        this(new LockState());
    }

    PutLock(LockState state) {
        this.state = state;
    }

    @Override
    public LockReply process(Map.Entry<String, LockState> entry) {
        entry.setValue(state);
        return new LockReply();
    }

    @Override
    public int getClassId() {
        return Wire.PUT_LOCK;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        state.writeData(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        state.readData(in);
    }
}
