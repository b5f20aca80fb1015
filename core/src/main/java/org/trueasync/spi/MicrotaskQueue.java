package org.trueasync.spi;

import java.util.ArrayDeque;

/** The scheduler's queue of {@link Microtask}s, first in, first out. Lives here because the turn of a microtask is its own business. */
public final class MicrotaskQueue {
    private final ArrayDeque<Microtask> queue = new ArrayDeque<>(4);
    private boolean draining;

    /** An empty queue. */
    public MicrotaskQueue() {}

    /**
     * Puts a microtask at the end, unless it is queued already.
     *
     * @param microtask the next one
     */
    public void add(Microtask microtask) {
        if (microtask.takenIntoQueue()) queue.add(microtask);
    }

    /** True if there is nothing to run. */
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The microtasks that wait for their turn. */
    public int size() {
        return queue.size();
    }

    /** True while a microtask runs: nothing may suspend then. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Runs microtasks, those that come meanwhile included, until none is left or the limit is reached: a microtask that always enqueues
     * another must not keep the reactor from its turn.
     *
     * @param limit the most that run, at least 1
     * @throws Throwable what a microtask threw; the rest stays queued
     */
    public void drain(int limit) throws Throwable {
        if (draining) return;
        draining = true;
        try {
            for (int i = 0; i < limit; i++) {
                Microtask microtask = queue.poll();
                if (microtask == null) return;
                microtask.turn();
            }
        } finally {
            draining = false;
        }
    }

    /** Releases everything unrun, as the last act of a shutdown. */
    public void discard() {
        Microtask microtask;
        while ((microtask = queue.poll()) != null) {
            microtask.cancel();
            try {
                microtask.turn();
            } catch (Throwable ignored) {
                // a cancelled microtask runs nothing; only its release can fail, and nobody is left to be told
            }
        }
    }
}
