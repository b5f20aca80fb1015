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
 * Members that wait for something, in the order of their arrival, each with how much it wants. What becomes free is kept for those in front until they
 * have come for it; whoever has waited for so long that one of them may be lost comes past them.
 *
 * <p>Only the member that keeps the channel or lock needs it. Should it get lost with that one, who waits asks again and stands in line again.
 */
final class Line {
    private static final class Place {
        int wanted;
        boolean called;
        /** When it last said that it waits, by this member's clock; not known for one that was read. */
        long asked;

        Place(int wanted, boolean called, long asked) {
            this.wanted = wanted;
            this.called = called;
            this.asked = asked;
        }
    }

    /** A member that has asked so recently is taken for alive. */
    static final long FRESH_NANOS = 100_000_000;

    /** Hands something to a member. */
    interface Giver {
        void give(UUID member, int count);
    }

    private final Map<UUID, Place> places = new LinkedHashMap<>();

    /** How much of what is free this member may have; the rest is kept for those in front of it. */
    int within(int free, UUID member, boolean past) {
        if (past || places.isEmpty()) return free;
        int left = free;
        for (var place : places.entrySet()) {
            if (place.getKey().equals(member)) break;
            left -= place.getValue().wanted;
            if (left <= 0) return 0;
        }
        return left;
    }

    /**
     * Waits for what it has not got.
     *
     * @param wanted 0: it does not wait any more
     * @param got how much it has just got: none, and a member in the line keeps its place, otherwise it is behind all others
     * @param now by the clock of this member
     */
    void await(UUID member, int wanted, int got, long now) {
        Place known = wanted <= 0 || got > 0 ? null : places.get(member);
        if (known == null) {
            places.remove(member);
            if (wanted > 0) places.put(member, new Place(wanted, false, now));
        } else {
            known.wanted = wanted;
            known.called = false;
            known.asked = now;
        }
    }

    /** Gives what is there to those who have just asked; what others in front of them want is kept. */
    void serve(int free, long now, Giver giver) {
        int left = free;
        for (var places = this.places.entrySet().iterator(); left > 0 && places.hasNext(); ) {
            var next = places.next();
            Place place = next.getValue();
            int count = Math.min(left, place.wanted);
            left -= count;
            if (now - place.asked > FRESH_NANOS) continue;
            giver.give(next.getKey(), count);
            place.wanted -= count;
            if (place.wanted == 0) places.remove();
        }
    }

    /** True if it stood here. */
    boolean leave(UUID member) {
        return places.remove(member) != null;
    }

    void clear() {
        places.clear();
    }

    boolean hasOthers(UUID member) {
        return places.size() > (places.containsKey(member) ? 1 : 0);
    }

    void addOthers(Set<UUID> members, Set<UUID> departed) {
        for (UUID member : places.keySet()) if (!members.contains(member)) departed.add(member);
    }

    /** Who is to be called, now that so much is free; each once until it has come. */
    List<UUID> call(int free) {
        if (free <= 0 || places.isEmpty()) return List.of();
        List<UUID> called = new ArrayList<>();
        int left = free;
        for (var place : places.entrySet()) {
            if (!place.getValue().called) {
                place.getValue().called = true;
                called.add(place.getKey());
            }
            left -= place.getValue().wanted;
            if (left <= 0) break;
        }
        return called;
    }

    void write(ObjectDataOutput out) throws IOException {
        out.writeInt(places.size());
        for (var place : places.entrySet()) {
            Wire.writeId(out, place.getKey());
            out.writeInt(place.getValue().wanted);
            out.writeBoolean(place.getValue().called);
        }
    }

    void read(ObjectDataInput in) throws IOException {
        for (int i = in.readInt(); i > 0; i--) {
            UUID member = Wire.readId(in);
            places.put(member, new Place(in.readInt(), in.readBoolean(), System.nanoTime() - 2 * FRESH_NANOS));
        }
    }
}
