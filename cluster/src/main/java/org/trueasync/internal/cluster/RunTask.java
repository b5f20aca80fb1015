package org.trueasync.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
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
    private Map<String, String> context = Map.of();

    /** For reading. */
    RunTask() {}

    RunTask(TaskKey key, byte[] task, Map<String, String> context) {
        this.key = key;
        this.task = task;
        this.context = context;
    }

    TaskKey key() {
        return Objects.requireNonNull(key);
    }

    byte[] task() {
        return Objects.requireNonNull(task);
    }

    /** Values of the sender's thread, as text; see {@link org.trueasync.spi.ContextPropagator}. */
    Map<String, String> context() {
        return context;
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
        out.writeStringArray(context.keySet().toArray(new String[0]));
        out.writeStringArray(context.values().toArray(new String[0]));
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        key = TaskKey.read(in);
        task = in.readByteArray();
        String[] names = Objects.requireNonNull(in.readStringArray());
        String[] values = Objects.requireNonNull(in.readStringArray());
        if (names.length == 0) return;
        context = new HashMap<>();
        for (int i = 0; i < names.length; i++) context.put(names[i], values[i]);
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
