package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Faults of one kind at one place, which may overlap: the worst of them counts, until it is over. */
public final class Overlap<T extends Comparable<T>> {
    private final T none;
    private final List<T> all = new ArrayList<>(0);

    /**
     * Without a fault.
     *
     * @param none what counts then
     */
    public Overlap(T none) {
        this.none = none;
    }

    /**
     * Adds a fault, or takes one back.
     *
     * @param strength the larger the worse
     */
    public void change(T strength, boolean begins) {
        if (begins) all.add(strength);
        else all.remove(strength);
    }

    /** The strength of the worst one. */
    public T worst() {
        return all.isEmpty() ? none : Collections.max(all);
    }
}
