package org.trueasync.bench.workload;

/** Work that goes to another thread and is awaited, one piece at a time. */
public interface HandOvers {

    /**
     * Goes there and back {@code count} times, between two threads that live as long as this call; returns how many
     * pieces have come back.
     */
    long thereAndBack(int count);
}
