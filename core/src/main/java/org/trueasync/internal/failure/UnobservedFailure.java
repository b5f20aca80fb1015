package org.trueasync.internal.failure;

import java.util.function.Consumer;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.SpawnTrace;

/**
 * The error of a coroutine that nobody has awaited so far. It learns when the coroutine's handle is unreachable, so
 * that nobody can await it any more. It must not refer to the coroutine.
 */
public final class UnobservedFailure implements Runnable {
    /** The error. */
    public final Throwable error;
    /** The coroutine that failed. */
    public final SpawnTrace origin;

    private final Consumer<UnobservedFailure> owner;
    private final Handles.Watch watch;
    private boolean settled;

    /**
     * Creates one for a coroutine that has just failed.
     *
     * @param coroutine the coroutine; it is not kept
     * @param error its error
     * @param origin identifies the coroutine
     * @param owner called once nobody can ask any more; on the thread of {@link Handles}
     */
    public UnobservedFailure(
            Coroutine<?> coroutine, Throwable error, SpawnTrace origin, Consumer<UnobservedFailure> owner) {
        this.owner = owner;
        this.error = error;
        this.origin = origin;
        this.watch = Handles.whenUnreachable(coroutine, this);
    }

    /**
     * Called when the coroutine is unreachable, on the thread of {@link Handles}. Also called by {@link #settle}, where
     * it has no effect.
     */
    @Override
    public void run() {
        if (!settled) owner.accept(this);
    }

    /** Notes that the error has been delivered or reported; a second call has no effect. Loop thread. */
    public void settle() {
        if (settled) return;
        settled = true;
        watch.clean();
    }

    /** False once it has been delivered or reported. */
    public boolean isDue() {
        return !settled;
    }

    /** Returns the text about it. In a service coroutine, as the error's own methods may be code of the program. */
    public String text() {
        origin.reportedBefore();
        return FailureText.unobserved(origin, error);
    }
}
