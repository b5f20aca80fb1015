package org.trueasync.bench.workload;

/**
 * Values handed from one coroutine to another, once per peer; as {@link Coroutines} otherwise. Each returns how many
 * values were received, each of which was checked to be the next.
 */
public interface Channels {

    /** One sends, the other receives; without a buffer. */
    long rendezvous(int items);

    /** One sends and waits for an answer on another channel, neither with a buffer; an answer counts as an item too. */
    long pingPong(int items);

    /** One sends, the other receives; through a buffer. */
    long buffered(int items, int capacity);
}
