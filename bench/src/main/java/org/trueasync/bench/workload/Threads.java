package org.trueasync.bench.workload;

/**
 * Work that goes to other threads and comes back. Each call starts the threads that the peer needs and returns how much
 * was done.
 */
public interface Threads {

    /**
     * Hands {@code count} small tasks to two workers and awaits them; {@code together} of them are handed over before
     * the first is awaited.
     */
    long submit(int count, int together);

    /** Sends {@code count} values from one thread to another through a queue of this capacity; returns their sum. */
    long exchange(int count, int capacity);
}
