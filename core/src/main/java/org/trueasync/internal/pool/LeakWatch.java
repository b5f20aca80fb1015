package org.trueasync.internal.pool;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.Loop;

/**
 * Finds lent resources that are unreachable and were not released, and learns when the pool's handle is unreachable.
 * Acquire and release only see to it that a slot holds its resource weakly while it is lent. A dummy object is
 * registered; when it is found unreachable, a garbage collection has happened, and the queue of slots whose resource is
 * gone is polled.
 */
final class LeakWatch<R> {
    private final PoolCore<R> pool;
    private final ReferenceQueue<R> gone = new ReferenceQueue<>();
    private boolean awaitsCollector;
    private Handles.@Nullable Watch handle;
    private volatile boolean closed;

    LeakWatch(PoolCore<R> pool) {
        this.pool = pool;
    }

    Slot<R> newSlot(R resource) {
        if (!awaitsCollector) awaitCollector();
        return new Slot<>(resource, gone);
    }

    private void awaitCollector() {
        awaitsCollector = true;
        Handles.whenUnreachable(new Object(), canary(pool.loop, new WeakReference<>(this)));
    }

    /** Returns what runs when the dummy object is unreachable. This action must not keep the pool reachable. */
    private static Runnable canary(Loop loop, WeakReference<? extends LeakWatch<?>> watch) {
        return () -> {
            if (watch.get() == null) return;
            loop.post(() -> loop.inService(() -> {
                LeakWatch<?> known = watch.get();
                if (known != null) known.collected();
            }));
        };
    }

    @SuppressWarnings("unchecked") // only slots are registered with the queue
    private void collected() {
        awaitsCollector = false;
        Reference<? extends R> reference;
        while ((reference = gone.poll()) != null) lost((Slot<R>) reference);
        if (!pool.store.isEmpty()) awaitCollector();
    }

    private void lost(Slot<R> slot) {
        String site =
                slot.site == null ? "where it was acquired is recorded from now on" : "it was acquired at " + slot.site;
        pool.removeLost(slot);
        PoolRecords.lost(pool, slot.site);
        pool.loop.report(pool.info() + ": a resource was dropped without being released; " + site);
    }

    // ---- the pool itself

    void watchHandle(Object user) {
        handle = Handles.whenUnreachable(user, this::handleGone);
    }

    /** Called on the thread of {@link Handles} when the pool's handle is unreachable. */
    private void handleGone() {
        if (closed) return;
        Loop loop = pool.loop;
        loop.post(() -> loop.spawnHandler(() -> {
            closeForgotten();
            return null;
        }));
    }

    private void closeForgotten() {
        if (pool.isClosed()) return;
        pool.loop.report(pool.info() + " was dropped without being closed; it is closed now");
        try {
            pool.close();
        } catch (Exception e) {
            pool.loop.report(pool.info() + ": the destructor failed: " + Causes.text(e));
        }
    }

    void poolClosed() {
        closed = true;
        if (handle != null) handle.clean();
    }
}
