package org.trueasync.internal.failure;

import java.util.function.Consumer;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.unobserved.Handles;

/**
 * The error of a coroutine that nobody has awaited so far, remembered in case nobody ever will: it knows when the coroutine's handle is
 * unreachable. It must not know the coroutine.
 */
public final class UnobservedFailure implements Runnable, FailureNotices.Notice {
    /** What it was. */
    public final Throwable error;
    /** Whose. */
    public final SpawnTrace origin;

    private final Consumer<UnobservedFailure> owner;
    private final Handles.Watch watch;
    private boolean settled;

    /**
     * Of a coroutine that has just failed.
     *
     * @param coroutine not kept
     * @param error what it threw
     * @param origin which one it was
     * @param owner told once nobody can ask any more; on the thread of {@link Handles}
     */
    public UnobservedFailure(
            Coroutine<?> coroutine, Throwable error, SpawnTrace origin, Consumer<UnobservedFailure> owner) {
        this.owner = owner;
        this.error = error;
        this.origin = origin;
        this.watch = Handles.whenUnreachable(coroutine, this);
    }

    /** The handle is gone; on the thread of {@link Handles}. Called by {@link #settle} as well, where it means nothing. */
    @Override
    public void run() {
        if (!settled) owner.accept(this);
    }

    /** Somebody has been told of the error; again does nothing. Loop thread. */
    public void settle() {
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
