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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a channel: its values, the members that wait, and the last answers to each member. The engine may run a
 * call twice, if the member that ran it dies before it has answered; a call that was run already is recognised by its
 * number. A {@link ChannelCall} decides on the member that keeps the channel; its {@link ChannelChange} repeats on the
 * member with the copy what must not get lost. The queues of waiting members are not copied.
 */
final class ChannelState implements KeeperCall.State, Wire.Kind {
    /** The clock of the member that keeps it, in nanoseconds. */
    LongSupplier clock = System::nanoTime;

    int capacity;
    /** Why it is closed; null while it is open. */
    @Nullable
    String closed;

    final ArrayDeque<byte[]> values = new ArrayDeque<>();
    final MemberQueue receivers = new MemberQueue();
    final MemberQueue senders = new MemberQueue();
    private final Map<UUID, Link> links = new HashMap<>();

    /** What passes between the channel and one member. */
    static final class Link {
        long lastSend;
        int accepted;
        long lastTake;
        /** How many values the member has said that it has; those after them are {@link #unconfirmed}. */
        private long confirmed;

        private final ArrayDeque<byte[]> unconfirmed = new ArrayDeque<>();

        /**
         * Notes how many values the member has. That may be more than were given as far as this state knows: then a
         * change was lost with a keeper.
         */
        void confirm(long count) {
            while (confirmed < count && unconfirmed.pollFirst() != null) confirmed++;
            confirmed = Math.max(confirmed, count);
        }

        /** Returns how many values were given to the member in all. */
        long last() {
            return confirmed + unconfirmed.size();
        }

        /**
         * Prepares a copy for values that follow the first {@code before} ones, of which {@code confirmedThere} are
         * confirmed. A copy that has missed a change drops the values that it has.
         */
        void continueAt(long confirmedThere, long before) {
            confirm(confirmedThere);
            if (last() == before) return;
            unconfirmed.clear();
            confirmed = before;
        }

        long confirmed() {
            return confirmed;
        }

        /** Returns the values that were given to the member and not confirmed. */
        ArrayDeque<byte[]> unconfirmed() {
            return unconfirmed;
        }
    }

    int free() {
        return capacity - values.size();
    }

    Link link(UUID member) {
        return links.computeIfAbsent(member, id -> new Link());
    }

    @Override
    public boolean concernsOthers(UUID member) {
        return receivers.hasOthers(member) || senders.hasOthers(member) || !links.containsKey(member);
    }

    @Override
    public Set<UUID> departed(Set<UUID> members) {
        Set<UUID> departed = new HashSet<>();
        for (UUID member : links.keySet()) if (!members.contains(member)) departed.add(member);
        receivers.addDeparted(members, departed);
        senders.addDeparted(members, departed);
        return departed;
    }

    boolean forget(UUID member) {
        boolean known = links.remove(member) != null;
        known |= receivers.remove(member);
        known |= senders.remove(member);
        return known;
    }

    /** Moves values from the channel to a member. */
    void moveTo(UUID member, int count) {
        Link link = link(member);
        for (int i = 0; i < count && !values.isEmpty(); i++) link.unconfirmed.addLast(values.removeFirst());
    }

    void putBack(List<byte[]> back) {
        for (int i = back.size() - 1; i >= 0; i--) values.addFirst(back.get(i));
    }

    /** Puts the members into the reply that have reason to call again. */
    void addWakeUps(ChannelReply reply) {
        boolean over = closed != null;
        reply.receivers = receivers.membersToWake(over && values.isEmpty() ? Integer.MAX_VALUE : values.size());
        reply.senders = senders.membersToWake(over ? Integer.MAX_VALUE : free());
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
            out.writeLong(link.getValue().confirmed);
            Wire.writeValues(out, link.getValue().unconfirmed);
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
            link.confirmed = in.readLong();
            link.unconfirmed.addAll(Wire.readValues(in));
        }
    }
}
