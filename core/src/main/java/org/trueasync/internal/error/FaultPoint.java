package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/**
 * A step that needs memory and may find none, and where that must be survived: above all on the way of an error. Steps
 * are marked so that tests can make each of them fail in turn. Without a test a step only reads a field, and none is on
 * a path where that counts.
 */
public final class FaultPoint {
    /** The test's action at each step, on the thread that takes the step. */
    public static volatile @Nullable Runnable fault;

    private FaultPoint() {}

    /** Marks such a step. */
    public static void pass() {
        Runnable f = fault;
        if (f != null) f.run();
    }
}
