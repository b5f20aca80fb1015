package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbered writes to a server that may be killed, each tried once, and what their writer was told of each. At the end
 * they are compared with what the server has. One thread.
 */
public final class Writes {
    private enum Told {
        /** Nothing yet. */
        BEGUN,
        ACKNOWLEDGED,
        /** It has failed before the server was asked for it: it can't be there. */
        REFUSED,
        /** It has failed while it was under way: it may be there. */
        UNKNOWN
    }

    private final Map<Long, Told> open = new HashMap<>();
    private long last;
    private long acknowledged;
    private long refused;
    private long unknown;
    private long unknownAndDone;

    /** Begins a write; returns its number. */
    public long begin() {
        open.put(++last, Told.BEGUN);
        return last;
    }

    /** The server has said that it is done. */
    public void acknowledged(long write) {
        tell(write, Told.ACKNOWLEDGED);
        acknowledged++;
    }

    /** It was given up before it could be done. */
    public void refused(long write) {
        tell(write, Told.REFUSED);
        refused++;
    }

    /** Nobody knows. */
    public void unknown(long write) {
        tell(write, Told.UNKNOWN);
        unknown++;
    }

    private void tell(long write, Told what) {
        if (open.put(write, what) != Told.BEGUN) throw new AssertionError("told twice of write " + write);
    }

    /** How many were acknowledged. */
    public long acknowledged() {
        return acknowledged;
    }

    /**
     * Compares the writes since the last time with what the server has of them. None may be under way.
     *
     * @param found how often each is there; a write that is there by half counts as -1
     * @return the contradictions
     */
    public List<String> compare(Map<Long, Integer> found) {
        var wrong = new ArrayList<String>();
        open.forEach((write, told) -> {
            int times = found.getOrDefault(write, 0);
            boolean holds =
                    switch (told) {
                        case ACKNOWLEDGED -> times == 1;
                        case REFUSED -> times == 0;
                        case UNKNOWN -> times == 0 || times == 1;
                        case BEGUN -> false;
                    };
            if (!holds) wrong.add("write " + write + ", " + told + ", is there " + times + " times");
            if (told == Told.UNKNOWN && times == 1) unknownAndDone++;
        });
        for (long write : found.keySet()) if (!open.containsKey(write)) wrong.add("nobody has begun write " + write);
        open.clear();
        return wrong;
    }

    @Override
    public String toString() {
        return "%,d writes acknowledged, none lost or doubled; %,d refused, none done; %,d unknown, %,d of them done"
                .formatted(acknowledged, refused, unknown, unknownAndDone);
    }
}
