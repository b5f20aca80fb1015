package org.trueasync.internal.testkit.jdk;

/** Stands in for {@link Thread} in {@link Hook}, which uses members of it that only its own package sees. */
@SuppressWarnings("DoNotCallSuggester") // the copy is called
final class CarrierThread {
    long threadLocalRandomSeed;
    int threadLocalRandomProbe;
    int threadLocalRandomSecondarySeed;

    private CarrierThread() {}

    static CarrierThread currentCarrierThread() {
        throw new UnsupportedOperationException("Bug in TrueAsync: only the copy in java.lang calls this");
    }
}
