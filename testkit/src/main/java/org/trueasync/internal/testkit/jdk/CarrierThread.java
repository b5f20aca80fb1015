package org.trueasync.internal.testkit.jdk;

import org.jspecify.annotations.Nullable;

/** Stands in for {@link Thread} in {@link Hook}, which uses members of it that only its own package sees. */
@SuppressWarnings("DoNotCallSuggester") // the copy is called
final class CarrierThread {
    long threadLocalRandomSeed;
    int threadLocalRandomProbe;
    int threadLocalRandomSecondarySeed;
    volatile boolean interrupted;

    private CarrierThread() {}

    /** Is there in the JDK alone. */
    static native CarrierThread currentCarrierThread();

    /** Who is told when the thread is interrupted. */
    native @Nullable InternalInterruptible nioBlocker();

    native @Nullable InternalLocals inheritableThreadLocals();

    native void setInheritableThreadLocals(@Nullable InternalLocals locals);

    native StackTraceElement @Nullable [] asyncGetStackTrace();

    native @Nullable InternalContainer threadContainer();

    native void dispatchUncaughtException(Throwable thrown);
}
