package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/** Looks up values that travel with the work. A value is found where the work is, or several levels above. */
@FunctionalInterface
public interface LookUp {

    /**
     * Looks one value up {@code count} times, and returns that number.
     *
     * @param levels how many scopes, or bindings, without the value are between the work and the value
     */
    long lookUps(int levels, int count, Blackhole results);
}
