package org.trueasync.internal.cluster.data;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.cluster.ClusterMap;

/**
 * Changes one entry of a map depending on its value, on the member that owns it. The member with the copy gets the new
 * value: a function of the program is not run there.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
@SuppressWarnings("serial") // it travels as our own kind
public final class MapCall<K, V> implements EntryProcessor<K, V, Object>, Wire.Kind {
    /** The kinds of changes. The names are part of the protocol between members. */
    public enum Change {
        /** Puts the operand if there is no value; the result is the old one. */
        PUT_IF_ABSENT,
        /** Puts the operand if there is an old value; the result is the old one. */
        REPLACE,
        /** Puts the replacement if the operand is there; the result says so. */
        REPLACE_IF,
        /** Removes the operand if it is there; the result says so. */
        REMOVE_IF,
        /** Puts what the operand, a function, makes of the value; that is the result. */
        COMPUTE
    }

    private Change change;
    private @Nullable Object operand;
    private @Nullable Object replacement;
    private transient boolean changed;
    private transient @Nullable Object now;

    MapCall() {
        this(Change.COMPUTE, null, null);
    }

    /**
     * A call.
     *
     * @param change what is done
     * @param operand the value to put or to compare with, or the function
     * @param replacement the value that replaces the operand; null if the change has none
     */
    public MapCall(Change change, @Nullable Object operand, @Nullable Object replacement) {
        this.change = change;
        this.operand = operand;
        this.replacement = replacement;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null means: no entry
    public Object process(Map.Entry<K, V> entry) {
        changed = false;
        V old = entry.getValue();
        return switch (change) {
            case PUT_IF_ABSENT -> {
                if (old == null) put(entry, operand);
                yield old;
            }
            case REPLACE -> {
                if (old != null) put(entry, operand);
                yield old;
            }
            case REPLACE_IF -> {
                boolean same = Objects.deepEquals(old, operand);
                if (same) put(entry, replacement);
                yield same;
            }
            case REMOVE_IF -> {
                boolean same = old != null && Objects.deepEquals(old, operand);
                if (same) put(entry, null);
                yield same;
            }
            case COMPUTE -> {
                V made = ((ClusterMap.Update<K, V>) Objects.requireNonNull(operand)).apply(entry.getKey(), old);
                if (made != null || old != null) put(entry, made);
                yield made;
            }
        };
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    private void put(Map.Entry<K, V> entry, @Nullable Object value) {
        entry.setValue((V) value);
        now = value;
        changed = true;
    }

    @Override
    @SuppressWarnings("NullAway") // null: nothing to do there
    public @Nullable EntryProcessor<K, V, Object> getBackupProcessor() {
        return changed ? new PutValue<>(now) : null;
    }

    @Override
    public int getClassId() {
        return Wire.MAP_CALL;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(change.name());
        out.writeObject(operand);
        out.writeObject(replacement);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        change = Change.valueOf(Objects.requireNonNull(in.readString()));
        operand = in.readObject();
        replacement = in.readObject();
    }
}
