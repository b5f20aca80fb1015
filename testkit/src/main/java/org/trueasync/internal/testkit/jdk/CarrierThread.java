package org.trueasync.internal.testkit.jdk;

/** Stands in for {@link Thread} in {@link Hook}, which calls a method of it that only its own package sees. */
final class CarrierThread {
    private CarrierThread() {}

    static Thread currentCarrierThread() {
        throw new UnsupportedOperationException("Bug in TrueAsync: only the copy in java.lang calls this");
    }
}
