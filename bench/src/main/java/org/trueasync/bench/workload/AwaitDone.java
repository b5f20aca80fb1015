package org.trueasync.bench.workload;

import org.openjdk.jmh.infra.Blackhole;

/**
 * Awaits something that is already done.
 *
 * <p>Every implementation has the await in a method {@code measured}, which is never inlined into the loop (see
 * {@code JvmFlags}). So two awaits do not share loads that the compiler has moved out of the loop: in a program, an
 * await does not follow another one in a tight loop either.
 */
@FunctionalInterface
public interface AwaitDone {

    /** Awaits the same completed thing {@code count} times, and returns that number. */
    long awaitDone(int count, Blackhole results);
}
