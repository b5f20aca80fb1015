package org.trueasync.internal.testkit.jdk;

/** Stands in for {@code sun.nio.ch.Interruptible} in {@link HostThread}: whom an interrupt of a thread is told. */
interface InternalInterruptible {
    void interrupt(Thread target);

    void postInterrupt();
}
