package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;

/** A worker that waits for its next task; it gets null if it is to end. */
final class TakeWaiter extends ThreadWaiter {
    final PoolWorker worker;
    private final ThreadPoolCore pool;
    private @Nullable PoolJob<?> job;

    TakeWaiter(ThreadPoolCore pool, PoolWorker worker, Loop loop) {
        super(loop);
        this.pool = pool;
        this.worker = worker;
    }

    @Override
    void begin() {
        pool.begin(this);
    }

    @Override
    void withdraw() {
        pool.withdraw(this);
    }

    /** Ends the wait with a task, or null. Inside. */
    void give(@Nullable PoolJob<?> next) {
        job = next;
        end();
    }

    /** Returns the task, once; the caller is then responsible for it. */
    @Nullable
    PoolJob<?> takeJob() {
        PoolJob<?> taken = job;
        job = null;
        return taken;
    }

    @Override
    public String toString() {
        return "next task of " + pool;
    }
}
