package org.trueasync;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** A task from any thread and its outcome, see {@link AsyncRuntime#submit(Callable)}. */
final class Submission<T extends @Nullable Object> implements Runnable {
    final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Callable<T> task;
    private final String runtime;

    Submission(Callable<T> task, String runtime) {
        this.task = task;
        this.runtime = runtime;
    }

    /** Called in the task's coroutine; on any other thread if the run ended before the task could begin. */
    @Override
    public void run() {
        Loop here = Runtimes.hereOrNull();
        if (here == null) {
            outcome.completeExceptionally(
                    new RejectedExecutionException("runtime '" + runtime + "' has ended before the task could begin"));
            return;
        }
        if (outcome.isDone()) return;
        Coroutine<?> self = Runtimes.currentCoroutine("AsyncRuntime.submit");
        var _ = outcome.whenComplete((value, error) -> {
            if (outcome.isCancelled()) here.post(self::cancel, () -> {});
        });
        try {
            outcome.complete(task.call());
        } catch (Throwable e) {
            // The caller gets the error; the coroutine itself ends without one.
            outcome.completeExceptionally(e);
        }
    }
}
