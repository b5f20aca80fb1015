package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Wakes those who wait for a key at a member, see {@link WakeUps}. */
final class WakeUp implements Callable<Boolean>, HazelcastInstanceAware, Wire.Kind {
    private String key;
    private transient @Nullable HazelcastInstance engine;

    WakeUp() {
        this("");
    }

    WakeUp(String key) {
        this.key = key;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        engine = here;
    }

    @Override
    public Boolean call() {
        WakeUps wakeUps =
                engine == null ? null : (WakeUps) engine.getUserContext().get(WakeUps.KEY);
        if (wakeUps != null) wakeUps.wake(key);
        return wakeUps != null;
    }

    @Override
    public int getClassId() {
        return Wire.WAKE_UP;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(key);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        key = Objects.requireNonNull(in.readString());
    }
}
