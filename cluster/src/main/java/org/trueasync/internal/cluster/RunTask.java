package org.trueasync.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings a task to a member. The engine's thread there only hands it to the loop; the answer is sent when the task has
 * ended. Until then the engine counts it as running, and tells the caller with its heartbeats. The engine never sends
 * it twice.
 */
final class RunTask extends Operation implements IdentifiedDataSerializable {
    private @Nullable TaskKey key;
    private byte @Nullable [] task;

    /** For reading. */
    RunTask() {}

    RunTask(TaskKey key, byte[] task) {
        this.key = key;
        this.task = task;
    }

    TaskKey key() {
        return Objects.requireNonNull(key);
    }

    byte[] task() {
        return Objects.requireNonNull(task);
    }

    /** Drops the task's bytes, once its objects are made. */
    void forget() {
        task = null;
    }

    @Override
    public CallStatus call() {
        return new Offload(this) {
            @Override
            public void start() {
                TaskHost host = getService();
                host.begin(RunTask.this);
            }
        };
    }

    @Override
    public ExceptionAction onInvocationException(Throwable thrown) {
        return ExceptionAction.THROW_EXCEPTION;
    }

    @Override
    public String getServiceName() {
        return TaskHost.SERVICE;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        key().write(out);
        out.writeByteArray(task);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        key = TaskKey.read(in);
        task = in.readByteArray();
    }

    @Override
    public int getFactoryId() {
        return Operations.FACTORY;
    }

    @Override
    public int getClassId() {
        return Operations.RUN;
    }
}
