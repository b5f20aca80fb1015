package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Brings values of a channel to a member that has just asked for them. A delivery that is lost only costs time: the
 * channel keeps the values until the member has said that it has them.
 */
final class Delivery extends Operation implements Wire.Kind {
    private String channel;
    private UUID member;
    private long before;
    private List<byte[]> values;

    Delivery() {
        this("", Wire.NOBODY, 0, List.of());
    }

    /**
     * A delivery.
     *
     * @param before how many values the member was given before these
     */
    Delivery(String channel, UUID member, long before, List<byte[]> values) {
        this.channel = channel;
        this.member = member;
        this.before = before;
        this.values = values;
    }

    String channel() {
        return channel;
    }

    UUID member() {
        return member;
    }

    long before() {
        return before;
    }

    List<byte[]> values() {
        return values;
    }

    @Override
    public void run() {
        Deliveries here = Deliveries.of(getNodeEngine().getHazelcastInstance());
        if (here != null) here.arrived(this);
    }

    @Override
    public boolean returnsResponse() {
        return false;
    }

    @Override
    public int getClassId() {
        return Wire.DELIVERY;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeString(channel);
        Wire.writeId(out, member);
        out.writeLong(before);
        Wire.writeValues(out, values);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        channel = Objects.requireNonNull(in.readString());
        member = Wire.readId(in);
        before = in.readLong();
        values = Wire.readValues(in);
    }
}
