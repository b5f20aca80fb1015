package org.trueasync.internal.testkit.jdk;

/** Stands in for the JDK's map of a thread's locals in {@link HostThread}. */
final class InternalLocals {
    private InternalLocals() {}
}
