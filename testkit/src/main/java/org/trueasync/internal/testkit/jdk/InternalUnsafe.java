package org.trueasync.internal.testkit.jdk;

/** Stands in for {@code jdk.internal.misc.Unsafe} in {@link Hook}. */
abstract class InternalUnsafe {
    abstract void park(boolean isAbsolute, long time);

    abstract void unpark(Object thread);
}
