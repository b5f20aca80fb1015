package org.trueasync.bench.workload;

/** Work that goes to another thread and is awaited, one piece at a time. */
public interface HandOvers {

    /** {@code count} times there and back, between two threads that live that long; returns how many have come back. */
    long thereAndBack(int count);
}
