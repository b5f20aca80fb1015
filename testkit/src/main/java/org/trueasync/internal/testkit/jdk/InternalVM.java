package org.trueasync.internal.testkit.jdk;

/** Stands in for {@code jdk.internal.misc.VM} in {@link Hook}. */
@SuppressWarnings("DoNotCallSuggester") // the copy is called
final class InternalVM {
    private InternalVM() {}

    /** Is there in the JDK alone. */
    static native long getNanoTimeAdjustment(long offsetInSeconds);
}
