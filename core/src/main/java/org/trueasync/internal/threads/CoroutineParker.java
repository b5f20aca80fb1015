package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Parks a coroutine that waits for another thread. While it waits, another thread can always wake it, so its wait is no
 * part of a deadlock.
 */
final class CoroutineParker extends OnceEvent implements Parker {
    private final Loop loop;
    private final ThreadWaiter waiter;

    CoroutineParker(Loop loop, ThreadWaiter waiter) {
        super(loop.activeEvents());
        this.loop = loop;
        this.waiter = waiter;
    }

    @Override
    public void end() {
        loop.post(() -> happen(null, null), waiter::orphaned);
    }

    @Override
    public void await(@Nullable Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(waiter.toString());
        Awaiting.until(self, this, token);
    }

    @Override
    public String info() {
        return waiter.toString();
    }
}
