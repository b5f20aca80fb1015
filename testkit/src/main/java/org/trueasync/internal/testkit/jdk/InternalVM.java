package org.trueasync.internal.testkit.jdk;

/** Stands in for {@code jdk.internal.misc.VM} in {@link Hook}. */
@SuppressWarnings("DoNotCallSuggester") // the copy is called
final class InternalVM {
    private InternalVM() {}

    static long getNanoTimeAdjustment(long offsetInSeconds) {
        throw new UnsupportedOperationException("Bug in TrueAsync: only the copy in java.lang calls this");
    }
}
