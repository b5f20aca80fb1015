package org.trueasync.internal.testkit.jdk;

/** Stands in for {@code jdk.internal.vm.ThreadContainer} in {@link HostThread}. */
abstract class InternalContainer {
    abstract void remove(Thread thread);
}
