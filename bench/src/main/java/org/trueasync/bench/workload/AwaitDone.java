package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/**
 * Awaits something that is already done.
 *
 * <p>Every implementation has the await in a method of its own that is never inlined into the loop (see
 * {@code JvmFlags}): in a program, two awaits do not follow each other in one loop either, so they must not share
 * hoisted loads.
 */
@FunctionalInterface
public interface AwaitDone {

    /** Awaits the same completed thing {@code count} times. */
    long awaitDone(int count, Blackhole results);
}
