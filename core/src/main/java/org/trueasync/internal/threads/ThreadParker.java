package org.trueasync.internal.threads;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;

/** Parks a thread that waits for another one; an interrupt cancels the wait, and stays set. */
final class ThreadParker implements Parker {
    private final Thread thread = Thread.currentThread();
    private final ThreadWaiter waiter;
    private volatile boolean over;

    ThreadParker(ThreadWaiter waiter) {
        this.waiter = waiter;
    }

    @Override
    public void end() {
        over = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void await(@Nullable Completable<?> token) {
        while (!over) {
            LockSupport.park(waiter);
            if (!over && thread.isInterrupted())
                throw new AsyncCancellation("thread '" + thread.getName() + "' was interrupted in " + waiter);
        }
    }
}
