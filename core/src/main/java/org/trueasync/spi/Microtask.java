package org.trueasync.spi;

import org.trueasync.internal.bridge.MicrotaskAccess;
import org.trueasync.internal.error.Causes;

/**
 * A small action that runs once each time it is enqueued, before the next coroutine switch and without a switch of its
 * own. Microtasks run in the order in which they were enqueued. What a microtask enqueues runs in the same drain of the
 * queue, unless the drain has become too long.
 *
 * <p>References are counted, and when the last one is dropped, {@link #release} runs. The queue holds one until the
 * microtask has had its turn; each {@link #retain} takes another one.
 *
 * <p>Loop thread only. All coroutines wait while a microtask runs, so it must be short. It must not suspend: an attempt
 * throws.
 */
public abstract class Microtask {
    static {
        MicrotaskAccess.install(new MicrotaskAccess<Microtask>() {
            @Override
            public boolean takeIntoQueue(Microtask microtask) {
                return microtask.takeIntoQueue();
            }

            @Override
            public void turn(Microtask microtask) throws Throwable {
                microtask.turn();
            }
        });
    }

    private int references;
    private boolean cancelled;
    private boolean queued;

    /** A microtask that is not queued. */
    protected Microtask() {}

    /**
     * The action.
     *
     * @throws Throwable anything. The error ends this drain, so the other microtasks run in the next one. It counts as
     *     an unhandled error
     */
    protected abstract void run() throws Throwable;

    /** Frees what the microtask holds; called when the last reference is dropped. */
    protected void release() {}

    /**
     * Puts this microtask at the end of the queue of the runtime on this thread. If it is in the queue already, nothing
     * happens.
     *
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public final void enqueue() {
        SchedulerProvider.get().enqueue(this);
    }

    /** Cancels this microtask for good: the queue does not run it, but still drops its reference. */
    public final void cancel() {
        cancelled = true;
    }

    /** True after {@link #cancel}. */
    public final boolean isCancelled() {
        return cancelled;
    }

    /** Takes one more reference. */
    public final void retain() {
        references++;
    }

    /**
     * Drops one reference. With the last one, {@link #release} runs.
     *
     * @throws IllegalStateException if there is none to drop
     */
    public final void drop() {
        if (references == 0)
            throw new IllegalStateException("drop() found no reference to drop; call it once for each retain()");
        if (--references == 0) release();
    }

    /** The references held now. */
    public final int references() {
        return references;
    }

    private boolean takeIntoQueue() {
        if (queued) return false;
        queued = true;
        retain();
        return true;
    }

    private void turn() throws Throwable {
        queued = false;
        Throwable thrown = null;
        try {
            if (!cancelled) run();
        } catch (Throwable e) {
            thrown = e;
        }
        try {
            drop();
        } catch (Throwable e) {
            thrown = Causes.joined(thrown, e);
        }
        if (thrown != null) throw thrown;
    }

    /**
     * A microtask from a lambda.
     *
     * @param action what {@link #run} does
     */
    public static Microtask of(Runnable action) {
        return new Microtask() {
            @Override
            protected void run() {
                action.run();
            }
        };
    }
}
