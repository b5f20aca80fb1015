package org.trueasync;

import java.util.concurrent.Callable;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The owner of coroutines. So far every runtime has one, its main scope: {@code Async.run} returns when all that it owns have ended, and a
 * shutdown cancels what it owns.
 *
 * <p>Loop thread only.
 */
public final class Scope {
    private final CoroutineScope owner;

    private Scope(CoroutineScope owner) {
        this.owner = owner;
    }

    /**
     * The main scope of the runtime on the calling thread; the same object throughout a run.
     *
     * @throws AsyncException if there is no runtime here
     */
    public static Scope global() {
        return Runtimes.here("Scope.global").mainScope().handle(Scope::new);
    }

    /**
     * Queues a new coroutine that this scope owns, whichever scope the caller belongs to. It begins when the caller waits or ends.
     *
     * @param task what it does
     * @return its handle
     * @throws AsyncException if called from a thread without this scope's runtime
     */
    public <T> Coroutine<T> spawn(Callable<T> task) {
        return owner.spawn(task);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Coroutine<?> spawn(Body task) {
        return owner.spawn(task);
    }

    @Override
    public String toString() {
        return "main scope, " + owner.live() + " coroutines";
    }
}
