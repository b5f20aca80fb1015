package org.trueasync.bench.peer;

import java.util.Arrays;

/** The values of the channel workloads: objects that exist already, as what is measured is the way and not the goods. */
public final class Boxed {
    private static final Integer[] VALUES = new Integer[1 << 20];

    static {
        Arrays.setAll(VALUES, Integer::valueOf);
    }

    private Boxed() {}

    /** The number as an object; less than 2 to the 20th. */
    public static Integer of(int value) {
        return VALUES[value];
    }
}
