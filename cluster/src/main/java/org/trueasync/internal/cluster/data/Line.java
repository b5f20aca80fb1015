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
 */
final class Line {
    private static final class Place {
        int wanted;
        boolean called;

        Place(int wanted, boolean called) {
            this.wanted = wanted;
            this.called = called;
        }
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

    /** Waits on for that much; a member in the line keeps its place. */
    void stay(UUID member, int wanted) {
        Place known = places.get(member);
        if (known == null) places.put(member, new Place(wanted, false));
        else {
            known.wanted = wanted;
            known.called = false;
        }
    }

    /** Waits for that much from now on, behind all others. */
    void join(UUID member, int wanted) {
        places.remove(member);
        places.put(member, new Place(wanted, false));
    }

    /** True if it stood here. */
    boolean leave(UUID member) {
        return places.remove(member) != null;
    }

    boolean isEmpty() {
        return places.isEmpty();
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
        for (int i = in.readInt(); i > 0; i--) places.put(Wire.readId(in), new Place(in.readInt(), in.readBoolean()));
    }
}
