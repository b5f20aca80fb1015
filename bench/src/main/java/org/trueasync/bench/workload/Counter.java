package org.trueasync.bench.workload;

/**
 * Counts what was done, so that a benchmark which did less than it claims is noticed.
 *
 * <p>A plain field: every peer runs its coroutines on one thread, one at a time.
 */
public final class Counter {
    public long value;
}
