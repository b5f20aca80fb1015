package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/**
 * Marks steps that may find no memory and must survive that, above all on the way of an error. So tests can make each
 * step fail in turn. Without a test a step only reads a field, and none is on a path where that counts.
 */
public final class FaultPoint {
    /** A test's action at each step, run on the thread that takes the step; null without a test. */
    public static volatile @Nullable Runnable fault;

    private FaultPoint() {}

    /** Marks such a step. */
    public static void pass() {
        Runnable f = fault;
        if (f != null) f.run();
    }
}
