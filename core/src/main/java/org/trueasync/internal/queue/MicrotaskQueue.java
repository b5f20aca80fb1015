package org.trueasync.internal.queue;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.bridge.MicrotaskAccess;
import org.trueasync.spi.Microtask;

/**
 * The scheduler's queue of {@link Microtask}s, first in, first out.
 *
 * <p>Loop thread only.
 */
public final class MicrotaskQueue {
    private final ArrayDeque<Microtask> queue = new ArrayDeque<>(4);
    private @Nullable Thread drainer;

    public MicrotaskQueue() {}

    /**
     * Puts a microtask at the end, unless it is queued already.
     *
     * @param microtask the microtask
     */
    public void add(Microtask microtask) {
        if (MicrotaskAccess.to(microtask).takeIntoQueue(microtask)) queue.add(microtask);
    }

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    public int size() {
        return queue.size();
    }

    /**
     * True if {@link #drain} would run something: not while another thread of the loop is blocked inside a microtask.
     */
    public boolean canDrain() {
        return !queue.isEmpty() && drainer == null;
    }

    /**
     * True if the calling thread runs a microtask, so that it may not suspend. Another thread of the loop may suspend,
     * while a lock blocks that one.
     */
    public boolean isDraining() {
        return drainer != null && drainer == Thread.currentThread();
    }

    /** Returns the thread that runs microtasks now, or null. Any thread, without synchronization: for observers. */
    public @Nullable Thread drainer() {
        return drainer;
    }

    /**
     * Runs microtasks, also those added meanwhile, until none is left or the limit is reached: a microtask that always
     * enqueues another one must not keep the reactor from its turn. Does nothing inside of a microtask, or while one is
     * blocked.
     *
     * @param limit how many run at most, at least 1
     * @throws Throwable what a microtask threw; the other ones stay queued
     */
    public void drain(int limit) throws Throwable {
        if (drainer != null) return;
        drainer = Thread.currentThread();
        try {
            for (int i = 0; i < limit; i++) {
                Microtask microtask = queue.poll();
                if (microtask == null) return;
                MicrotaskAccess.to(microtask).turn(microtask);
            }
        } finally {
            drainer = null;
        }
    }

    /**
     * Cancels and releases all queued microtasks.
     *
     * @param failed receives what a release throws
     */
    public void discard(Consumer<Throwable> failed) {
        Microtask microtask;
        while ((microtask = queue.poll()) != null) {
            microtask.cancel();
            try {
                MicrotaskAccess.to(microtask).turn(microtask);
            } catch (Throwable e) {
                failed.accept(e);
            }
        }
    }
}
