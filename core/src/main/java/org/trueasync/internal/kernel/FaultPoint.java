package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A step on the way of an error that needs memory, and may find none. Steps are named here so that tests can make each of them fail in turn; otherwise they do
 * nothing. They are on no path that is taken often.
 */
final class FaultPoint {
    /** What a test does at each step, on the thread that takes it. */
    static volatile @Nullable Runnable fault;

    private FaultPoint() {}

    static void pass() {
        Runnable f = fault;
        if (f != null) f.run();
    }
}
