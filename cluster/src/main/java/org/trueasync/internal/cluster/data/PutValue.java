package org.trueasync.internal.cluster.data;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings a new value to the member with the copy.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
@SuppressWarnings("serial") // it travels as our own kind
final class PutValue<K, V> implements EntryProcessor<K, V, Object>, Wire.Kind {
    private @Nullable Object value;

    PutValue() {}

    PutValue(@Nullable Object value) {
        this.value = value;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null means: no entry
    public Object process(Map.Entry<K, V> entry) {
        entry.setValue((V) value);
        return null;
    }

    @Override
    public int getClassId() {
        return Wire.PUT_VALUE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeObject(value);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        value = in.readObject();
    }
}
