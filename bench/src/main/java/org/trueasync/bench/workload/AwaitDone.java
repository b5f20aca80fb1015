package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/**
 * Awaits something that is already done.
 *
 * <p>Every implementation keeps the one await in a method of its own that is never inlined into the loop (see {@code JvmFlags}): two awaits of a
 * program do not follow each other in one loop either, so they must not share hoisted loads.
 */
@FunctionalInterface
public interface AwaitDone {

    /** Awaits the same completed thing {@code count} times. */
    long awaitDone(int count, Blackhole results);
}
