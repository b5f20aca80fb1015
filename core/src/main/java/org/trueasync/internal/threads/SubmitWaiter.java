package org.trueasync.internal.threads;

import org.trueasync.internal.kernel.Loop;

/** A submitter that waits while the queue is full. */
final class SubmitWaiter extends ThreadWaiter {
    final PoolJob<?> job;
    private final ThreadPoolCore pool;
    private boolean refused;

    SubmitWaiter(ThreadPoolCore pool, Loop loop, PoolJob<?> job) {
        super(loop);
        this.pool = pool;
        this.job = job;
    }

    @Override
    void begin() {
        if (job.isWaiting()) pool.begin(this);
    }

    @Override
    void withdraw() {
        pool.withdraw(this);
    }

    void refuse() {
        refused = true;
        end();
    }

    boolean isRefused() {
        return refused;
    }

    @Override
    public String toString() {
        return "submit to " + pool;
    }
}
