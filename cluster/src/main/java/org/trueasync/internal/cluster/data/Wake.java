package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Rings a bell at a member, see {@link Bells}. */
final class Wake implements Callable<Boolean>, HazelcastInstanceAware, Wire.Kind {
    private String bell;
    private transient @Nullable HazelcastInstance engine;

    Wake() {
        this("");
    }

    Wake(String bell) {
        this.bell = bell;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    @Override
    public Boolean call() {
        Bells bells = engine == null ? null : (Bells) engine.getUserContext().get(Bells.KEY);
        if (bells != null) bells.ring(bell);
        return bells != null;
    }

    @Override
    public int getClassId() {
        return Wire.WAKE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(bell);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        bell = Objects.requireNonNull(in.readString());
    }
}
