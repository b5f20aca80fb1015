package org.trueasync.internal.kernel;

import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.unobserved.Handles;

/**
 * The error of a coroutine that nobody has awaited so far, remembered in case nobody ever will: it knows when the coroutine's handle is
 * unreachable. It must not know the coroutine.
 */
final class UnobservedFailure implements Runnable, FailureNotices.Notice {
    final Throwable error;
    final SpawnTrace origin;
    private final UnhandledErrors owner;
    private final Handles.Watch watch;
    private boolean settled;

    UnobservedFailure(UnhandledErrors owner, CoroutineImpl<?> coroutine, Throwable error, SpawnTrace origin) {
        this.owner = owner;
        this.error = error;
        this.origin = origin;
        this.watch = Handles.whenUnreachable(coroutine, this);
    }

    /** The handle is gone; on the thread of {@link Handles}. Called by {@link #settle} as well, where it means nothing. */
    @Override
    public void run() {
        if (!settled) owner.handleGone(this);
    }

    /** Somebody has been told of the error; again does nothing. Loop thread. */
    void settle() {
        if (settled) return;
        settled = true;
        watch.clean();
    }

    @Override
    public boolean isDue() {
        return !settled;
    }

    @Override
    public String text() {
        origin.toldBefore();
        return FailureText.unobserved(origin, error);
    }
}
