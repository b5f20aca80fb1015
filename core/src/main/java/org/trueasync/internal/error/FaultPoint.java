package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/**
 * A step that needs memory and may find none, where that must be survived: on the way of an error, above all. Steps are named here so that tests can make each of them fail in turn; otherwise they do
 * nothing but read a field. They are on no path where that counts.
 */
public final class FaultPoint {
    /** What a test does at each step, on the thread that takes it. */
    public static volatile @Nullable Runnable fault;

    private FaultPoint() {}

    /** Such a step. */
    public static void pass() {
        Runnable f = fault;
        if (f != null) f.run();
    }
}
