package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** A coroutine that waits for another thread. While it does, somebody may always come, so there is no deadlock. */
final class CoroutineParker extends SourceEvent implements Parker {
    private final Loop loop;
    private final ThreadWaiter waiter;
    private boolean over;

    CoroutineParker(Loop loop, ThreadWaiter waiter) {
        super(loop.activeEvents());
        this.loop = loop;
        this.waiter = waiter;
    }

    @Override
    public void end() {
        loop.post(this::ended, waiter::orphaned);
    }

    private void ended() {
        over = true;
        close();
        notifyCallbacks(null, null);
    }

    @Override
    public void await(@Nullable Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(waiter.toString());
        Awaiting.until(self, this, token);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}

    @Override
    public boolean replay(EventCallback callback) {
        if (!over) return super.replay(callback);
        deliver(callback, null, null);
        return true;
    }

    @Override
    public String info() {
        return waiter.toString();
    }
}
