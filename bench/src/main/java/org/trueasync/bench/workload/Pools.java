package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/**
 * Workloads in which {@link #RESOURCES} resources are taken and given back, implemented once for each pool. As in
 * {@link Coroutines}, each call does the whole workload on one thread and returns how many operations were done. No
 * pool checks a resource before or after its use. All resources exist beforehand.
 */
public interface Pools extends AutoCloseable {

    int RESOURCES = 10;

    /**
     * How many operations one call of a method makes, for every peer: so its code is compiled as in a program that runs
     * long, and not as a loop that never ends.
     */
    int BURST = 100;

    /** One user takes a resource and gives it back, again and again. */
    long uncontended(int operations, Blackhole uses);

    /**
     * {@code users} share the resources; each takes one, lets the others run while it has it, and gives it back,
     * {@code each} times.
     */
    long contended(int users, int each);

    /** Closes the pool. */
    @Override
    void close();
}
