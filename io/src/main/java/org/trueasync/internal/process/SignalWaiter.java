package org.trueasync.internal.process;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;

/**
 * A registration for one delivery. It does not keep its event alive: an event that is unreachable and not awaited has
 * been given up.
 */
final class SignalWaiter {
    final Loop loop;
    final long number;
    private final WeakReference<SignalEvent> event;
    /**
     * The event while it is awaited; else null. It must be held here, because perhaps only the waiting coroutine holds
     * it, and nothing holds that coroutine.
     */
    private volatile @Nullable SignalEvent awaited;

    SignalWaiter(Loop loop, SignalEvent event, long number) {
        this.loop = loop;
        this.number = number;
        this.event = new WeakReference<>(event);
    }

    void awaited(@Nullable SignalEvent self) {
        awaited = self;
    }

    @Nullable
    SignalEvent event() {
        SignalEvent held = awaited;
        return held != null ? held : event.get();
    }
}
