package org.trueasync.internal.testkit;

/** How often a test of ours repeats something: seldom in the default build, often in the deep one. */
public final class Depth {
    private static final boolean DEEP = Boolean.getBoolean("trueasync.deep");

    private Depth() {}

    public static int of(int usual, int deep) {
        return DEEP ? deep : usual;
    }
}
