package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * How states, calls and replies travel: by numbers of this list, not by names of classes. The order is part of the
 * protocol between members.
 */
public final class Wire implements DataSerializableFactory {
    /** The number of this factory, unique in a cluster. */
    public static final int ID = 0x7461;

    /** The member of a call that was not read from its bytes yet. */
    static final UUID NOBODY = new UUID(0, 0);

    private static final List<Supplier<IdentifiedDataSerializable>> KINDS = List.of(
            ChannelState::new,
            ChannelReply::new,
            OpenChannel::new,
            SendValues::new,
            TakeValues::new,
            CloseChannel::new,
            QueryChannel::new,
            WakeUp::new,
            LockState::new,
            LockReply::new,
            TakeLock::new,
            GiveLock::new,
            PutLock::new,
            MapCall::new,
            PutValue::new,
            ChannelChange::new,
            Delivery::new);

    static final int CHANNEL_STATE = 0;
    static final int CHANNEL_REPLY = 1;
    static final int OPEN_CHANNEL = 2;
    static final int SEND_VALUES = 3;
    static final int TAKE_VALUES = 4;
    static final int CLOSE_CHANNEL = 5;
    static final int QUERY_CHANNEL = 6;
    static final int WAKE_UP = 7;
    static final int LOCK_STATE = 8;
    static final int LOCK_REPLY = 9;
    static final int TAKE_LOCK = 10;
    static final int GIVE_LOCK = 11;
    static final int PUT_LOCK = 12;
    static final int MAP_CALL = 13;
    static final int PUT_VALUE = 14;
    static final int CHANNEL_CHANGE = 15;
    static final int DELIVERY = 16;

    @Override
    public IdentifiedDataSerializable create(int kind) {
        return KINDS.get(kind).get();
    }

    /** An object that travels in our own form. */
    interface Kind extends IdentifiedDataSerializable {
        @Override
        default int getFactoryId() {
            return ID;
        }
    }

    static void writeId(ObjectDataOutput out, UUID id) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    static UUID readId(ObjectDataInput in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    static void writeIds(ObjectDataOutput out, Collection<UUID> ids) throws IOException {
        out.writeInt(ids.size());
        for (UUID id : ids) writeId(out, id);
    }

    static List<UUID> readIds(ObjectDataInput in) throws IOException {
        int count = in.readInt();
        if (count == 0) return List.of();
        List<UUID> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) ids.add(readId(in));
        return ids;
    }

    static void writeValues(ObjectDataOutput out, Collection<byte[]> values) throws IOException {
        out.writeInt(values.size());
        for (byte[] value : values) out.writeByteArray(value);
    }

    static List<byte[]> readValues(ObjectDataInput in) throws IOException {
        int count = in.readInt();
        if (count == 0) return List.of();
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] value = in.readByteArray();
            if (value == null) throw new EOFException("a value is missing");
            values.add(value);
        }
        return values;
    }
}
