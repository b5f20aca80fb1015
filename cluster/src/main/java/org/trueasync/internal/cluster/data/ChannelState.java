package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A channel: its values, who waits, and the last answer to each member. The engine may run a call twice, when the member that ran it dies before it has answered; a call
 * that has been run is known by its number and gets the same answer. Changed by {@link ChannelCall}s only, the same on the member that keeps it and on the one that has the copy.
 */
final class ChannelState implements Wire.Kind {
    int capacity;
    /** Why it is closed; null while it is open. */
    @Nullable
    String closed;

    final ArrayDeque<byte[]> values = new ArrayDeque<>();
    final Line receivers = new Line();
    final Line senders = new Line();
    private final Map<UUID, Link> links = new HashMap<>();

    /** The last call of a member in each direction, and its outcome. */
    static final class Link {
        long lastSend;
        int accepted;
        long lastTake;
        List<byte[]> taken = List.of();
    }

    int free() {
        return capacity - values.size();
    }

    Link link(UUID member) {
        return links.computeIfAbsent(member, id -> new Link());
    }

    /** True if there is reason to look who is still there. */
    boolean concernsOthers(UUID member) {
        return receivers.hasOthers(member) || senders.hasOthers(member) || !links.containsKey(member);
    }

    Set<UUID> departed(Set<UUID> members) {
        Set<UUID> departed = new HashSet<>();
        for (UUID member : links.keySet()) if (!members.contains(member)) departed.add(member);
        receivers.addOthers(members, departed);
        senders.addOthers(members, departed);
        return departed;
    }

    boolean forget(UUID member) {
        boolean known = links.remove(member) != null;
        known |= receivers.leave(member);
        known |= senders.leave(member);
        return known;
    }

    /** Puts into the reply who has reason to call again. True if somebody has. */
    boolean callWaiters(ChannelReply reply) {
        boolean over = closed != null;
        reply.receivers = receivers.call(over && values.isEmpty() ? Integer.MAX_VALUE : values.size());
        reply.senders = senders.call(over ? Integer.MAX_VALUE : free());
        return !reply.receivers.isEmpty() || !reply.senders.isEmpty();
    }

    @Override
    public int getClassId() {
        return Wire.CHANNEL_STATE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeInt(capacity);
        out.writeString(closed);
        Wire.writeValues(out, values);
        receivers.write(out);
        senders.write(out);
        out.writeInt(links.size());
        for (var link : links.entrySet()) {
            Wire.writeId(out, link.getKey());
            out.writeLong(link.getValue().lastSend);
            out.writeInt(link.getValue().accepted);
            out.writeLong(link.getValue().lastTake);
            Wire.writeValues(out, link.getValue().taken);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        capacity = in.readInt();
        closed = in.readString();
        values.addAll(Wire.readValues(in));
        receivers.read(in);
        senders.read(in);
        for (int i = in.readInt(); i > 0; i--) {
            Link link = link(Wire.readId(in));
            link.lastSend = in.readLong();
            link.accepted = in.readInt();
            link.lastTake = in.readLong();
            link.taken = Wire.readValues(in);
        }
    }
}
