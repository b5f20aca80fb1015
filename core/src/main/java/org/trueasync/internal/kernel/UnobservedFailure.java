package org.trueasync.internal.kernel;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.neglect.Handles;

/**
 * The error of a coroutine that nobody has awaited so far, remembered in case nobody ever will: it knows when the coroutine's handle is
 * unreachable. It must not know the coroutine.
 */
final class UnobservedFailure implements Runnable {
    final Throwable error;
    final SpawnTrace origin;
    private final UnhandledErrors owner;
    private Cleaner.@Nullable Cleanable watch;
    private boolean settled;

    UnobservedFailure(UnhandledErrors owner, Throwable error, SpawnTrace origin) {
        this.owner = owner;
        this.error = error;
        this.origin = origin;
    }

    /** Learns of the end of a handle. May meet the lock of the JDK's cleaner: others may run before it returns, and settle this. */
    void watch(CoroutineImpl<?> coroutine) {
        Cleaner.Cleanable registered = Handles.whenUnreachable(coroutine, this);
        if (settled) registered.clean();
        else watch = registered;
    }

    /** The handle is gone; on the cleaner's thread. Called by {@link #settle} as well, where it means nothing. */
    @Override
    public void run() {
        if (!settled) owner.handleGone(this);
    }

    /** Somebody has been told of the error; again does nothing. Loop thread. */
    void settle() {
        if (settled) return;
        settled = true;
        if (watch != null) watch.clean();
    }
}
