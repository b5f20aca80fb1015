package org.trueasync.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells a member that a task's result is not wanted any more. It may overtake the task. */
final class CancelTask extends Operation implements IdentifiedDataSerializable {
    private @Nullable TaskKey key;

    /** For reading. */
    CancelTask() {}

    CancelTask(TaskKey key) {
        this.key = key;
    }

    @Override
    public void run() {
        TaskHost host = getService();
        host.cancel(Objects.requireNonNull(key));
    }

    @Override
    public boolean returnsResponse() {
        return false;
    }

    @Override
    public String getServiceName() {
        return TaskHost.SERVICE;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Objects.requireNonNull(key).write(out);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        key = TaskKey.read(in);
    }

    @Override
    public int getFactoryId() {
        return Operations.FACTORY;
    }

    @Override
    public int getClassId() {
        return Operations.CANCEL;
    }
}
