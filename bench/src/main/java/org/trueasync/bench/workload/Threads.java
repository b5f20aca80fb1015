package org.trueasync.bench.workload;

/**
 * Work that goes to other threads and comes back. Each call starts the threads that the peer needs and returns how much
 * was done.
 */
public interface Threads {

    /** {@code count} small tasks for two workers, {@code together} of them handed over before the first is awaited. */
    long submit(int count, int together);

    /** {@code count} values from one thread to another through a queue of this capacity; returns their sum. */
    long exchange(int count, int capacity);
}
