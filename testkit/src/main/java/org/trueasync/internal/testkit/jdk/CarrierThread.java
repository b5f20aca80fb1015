package org.trueasync.internal.testkit.jdk;

/** Stands in for {@link Thread} in {@link Hook}, which uses members of it that only its own package sees. */
@SuppressWarnings("DoNotCallSuggester") // the copy is called
final class CarrierThread {
    long threadLocalRandomSeed;
    int threadLocalRandomProbe;
    int threadLocalRandomSecondarySeed;

    private CarrierThread() {}

    /** Is there in the JDK alone. */
    static native CarrierThread currentCarrierThread();
}
