package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/**
 * {@link #RESOURCES} resources that are taken and given back, once per pool; as {@link Coroutines} otherwise. No pool
 * checks a resource before or after its use. All resources exist beforehand.
 */
public interface Pools extends AutoCloseable {

    int RESOURCES = 10;

    /**
     * How many operations one call makes, for every peer: so they are compiled like the code of a program that runs
     * long, not like a loop that never ends.
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
