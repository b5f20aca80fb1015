package org.trueasync.bench.workload;

/**
 * Workloads in which one coroutine hands values to another. As in {@link Coroutines}, each call does the whole workload
 * on one thread. It returns how many values were received; each of them was checked to be the next one.
 */
public interface Channels {

    /** One coroutine sends, the other receives, without a buffer. */
    long rendezvous(int items);

    /**
     * One coroutine sends a value and waits for an answer on another channel. Neither channel has a buffer. An answer
     * counts as an item too.
     */
    long pingPong(int items);

    /** One coroutine sends, the other receives, through a buffer. */
    long buffered(int items, int capacity);
}
