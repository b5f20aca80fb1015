package org.trueasync.spi;

import org.trueasync.internal.microtask.MicrotaskAccess;

/**
 * A small action that runs once before the next coroutine switch, without a switch of its own. First in, first out; what a microtask enqueues
 * runs in the same drain. Counted references decide when {@link #release} runs: one is held by the queue until the microtask has had its
 * turn, others by whoever calls {@link #retain}.
 *
 * <p>Loop thread only. It has direct access to the scheduler's cycle: it must be short, and it may not suspend; an attempt throws.
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
     * The action. What it throws stops the drain; the rest of the queue waits for the next one, and the error counts as unhandled.
     *
     * @throws Throwable anything
     */
    protected abstract void run() throws Throwable;

    /** Gives back what the microtask holds; called when the last reference is dropped. */
    protected void release() {}

    /**
     * Puts it at the end of the queue of the runtime on this thread. While it is queued already, does nothing.
     *
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public final void enqueue() {
        SchedulerProvider.get().enqueue(this);
    }

    /** Its turn will be skipped; it is still released. */
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

    /** Drops one reference; the last one releases. */
    public final void drop() {
        if (references == 0) throw new IllegalStateException("more references dropped than taken");
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
            thrown = Joined.errors(thrown, e);
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
