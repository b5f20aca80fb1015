package org.trueasync.internal.cluster.data;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The members that wait for something of a channel or a lock, in the order of their arrival, each with how much it
 * wants. What becomes free is kept for those in front until they call for it. But a member in front may be lost. So a
 * member that has waited for long may pass those in front of it.
 *
 * <p>Only the member that keeps the channel or the lock has this queue. If that member is lost, the queue is lost with
 * it. The waiting members call again, and so they stand in the next keeper's queue.
 */
final class MemberQueue {
    private static final class Place {
        int wanted;
        /** True if it has been woken, and has not called since. */
        boolean woken;
        /**
         * When it last called, in nanoseconds by the clock of the member that keeps this queue; long ago for a place
         * that was read from bytes.
         */
        long lastCall;

        Place(int wanted, boolean woken, long lastCall) {
            this.wanted = wanted;
            this.woken = woken;
            this.lastCall = lastCall;
        }
    }

    /** A member whose last call is not older than this is assumed to be alive. */
    static final long FRESH_NANOS = 100_000_000;

    /** Hands something to a member. */
    interface Giver {
        void give(UUID member, int count);
    }

    private final Map<UUID, Place> places = new LinkedHashMap<>();

    /**
     * Returns how much of what is free a member may have. The rest is kept for those in front of it.
     *
     * @param free how much there is
     * @param member which; behind all others if it is not in the queue
     * @param passing true if it has waited so long that it passes those in front
     */
    int shareOf(int free, UUID member, boolean passing) {
        if (passing || places.isEmpty()) return free;
        int available = free;
        for (var place : places.entrySet()) {
            if (place.getKey().equals(member)) break;
            available -= place.getValue().wanted;
            if (available <= 0) return 0;
        }
        return available;
    }

    /**
     * Notes that a member has called, and waits for what it has not got.
     *
     * @param member which
     * @param wanted how much it still wants; 0 takes it out of the queue
     * @param got how much it has just got. If nothing, it keeps its place in the queue; otherwise its place is now
     *     behind all others
     * @param now by the clock of the member that keeps this queue
     */
    void update(UUID member, int wanted, int got, long now) {
        Place known = wanted <= 0 || got > 0 ? null : places.get(member);
        if (known == null) {
            places.remove(member);
            if (wanted > 0) places.put(member, new Place(wanted, false, now));
        } else {
            known.wanted = wanted;
            known.woken = false;
            known.lastCall = now;
        }
    }

    /**
     * Gives what is free to the members that have called recently. What other members in front of them want is kept for
     * these others.
     */
    void serve(int free, long now, Giver giver) {
        int available = free;
        for (var places = this.places.entrySet().iterator(); available > 0 && places.hasNext(); ) {
            var next = places.next();
            Place place = next.getValue();
            int count = Math.min(available, place.wanted);
            available -= count;
            if (now - place.lastCall > FRESH_NANOS) continue;
            giver.give(next.getKey(), count);
            place.wanted -= count;
            if (place.wanted == 0) places.remove();
        }
    }

    /** Takes a member out; true if it was in the queue. */
    boolean remove(UUID member) {
        return places.remove(member) != null;
    }

    void clear() {
        places.clear();
    }

    boolean hasOthers(UUID member) {
        return places.size() > (places.containsKey(member) ? 1 : 0);
    }

    void addDeparted(Set<UUID> members, Set<UUID> departed) {
        for (UUID member : places.keySet()) if (!members.contains(member)) departed.add(member);
    }

    /**
     * Returns the members that are to call again, now that there is something free. Each is named once until it has
     * called.
     */
    List<UUID> membersToWake(int free) {
        if (free <= 0 || places.isEmpty()) return List.of();
        List<UUID> toWake = new ArrayList<>();
        int available = free;
        for (var place : places.entrySet()) {
            if (!place.getValue().woken) {
                place.getValue().woken = true;
                toWake.add(place.getKey());
            }
            available -= place.getValue().wanted;
            if (available <= 0) break;
        }
        return toWake;
    }

    void write(ObjectDataOutput out) throws IOException {
        out.writeInt(places.size());
        for (var place : places.entrySet()) {
            Wire.writeId(out, place.getKey());
            out.writeInt(place.getValue().wanted);
            out.writeBoolean(place.getValue().woken);
        }
    }

    void read(ObjectDataInput in) throws IOException {
        for (int i = in.readInt(); i > 0; i--) {
            UUID member = Wire.readId(in);
            places.put(member, new Place(in.readInt(), in.readBoolean(), System.nanoTime() - 2 * FRESH_NANOS));
        }
    }
}
