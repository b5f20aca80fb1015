package org.trueasync.bench.peer;

import java.util.Arrays;

/** The values of the channel workloads: objects that exist already, so that their allocation is not measured. */
public final class Boxed {
    private static final Integer[] VALUES = new Integer[1 << 20];

    static {
        Arrays.setAll(VALUES, Integer::valueOf);
    }

    private Boxed() {}

    /** Returns a number as an object; it must be less than 2 to the 20th. */
    public static Integer of(int value) {
        return VALUES[value];
    }
}
