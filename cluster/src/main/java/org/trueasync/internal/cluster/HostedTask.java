package org.trueasync.internal.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.spi.ContextPropagator;

/**
 * A task that a member has sent here: a coroutine in a scope of its own. When this coroutine has ended, what it has
 * spawned and not awaited is cancelled; the task is over when all of that has ended.
 */
final class HostedTask implements Runnable {
    private final TaskHost host;
    private final RunTask operation;
    private volatile boolean withdrawn;
    /** Loop thread only. */
    private @Nullable Scope scope;
    /** The error of another coroutine of the task. Loop thread only. */
    private @Nullable Throwable fromChild;

    HostedTask(TaskHost host, RunTask operation) {
        this.host = host;
        this.operation = operation;
    }

    TaskKey key() {
        return operation.key();
    }

    RunTask operation() {
        return operation;
    }

    /** Cancels the task, because its result is not wanted any more or this member leaves. Any thread. */
    void withdraw() {
        withdrawn = true;
        try {
            host.loop().execute(() -> {
                Scope running = scope;
                if (running != null)
                    running.cancel(new AsyncCancellation(
                            host.isClosing()
                                    ? "this member leaves its cluster"
                                    : "the member that sent the task does not want its result any more"));
            });
        } catch (RejectedExecutionException e) {
            // the run has ended, and with it the task
        }
    }

    /**
     * Runs the task and sends the answer. In its coroutine; on another thread if the run ended before it could begin.
     */
    @Override
    public void run() {
        byte[] answer;
        try {
            answer = answer();
        } catch (Throwable e) {
            answer = Answer.thrown(e);
        }
        host.ended(this, answer);
    }

    private byte[] answer() {
        Coroutine<?> self;
        try {
            self = Async.currentCoroutine();
        } catch (AsyncException e) {
            return Answer.leftAlready();
        }
        Object task;
        try {
            task = host.codec().read(operation.task());
            operation.forget();
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            return Answer.refused(Refusals.reason(e));
        }
        if (withdrawn)
            return host.isClosing() ? Answer.leftAlready() : Answer.refused("it was cancelled before it began");
        if (!(task instanceof Callable<?> callable))
            return Answer.refused("it is no task but "
                    + (task == null ? "null" : "a " + task.getClass().getName()));
        ContextPropagator.giveText(operation.context());
        return perform(callable, self);
    }

    /** Ends the task with an unobserved error of one of its coroutines. */
    private void childFailed(Throwable error) {
        if (fromChild != null) return;
        fromChild = error;
        Scope running = scope;
        if (running != null)
            running.cancel(new AsyncCancellation("another coroutine of the same task has failed", error));
    }

    private byte[] perform(Callable<?> task, Coroutine<?> self) {
        var own = new Scope("cluster task");
        own.setExceptionHandler((where, coroutine, error) -> childFailed(error));
        scope = own;
        Object value = null;
        Throwable thrown = null;
        Coroutine<?> body = own.spawn(task);
        try {
            value = body.await();
        } catch (Throwable e) {
            thrown = body.exception();
            if (thrown == null) thrown = e;
        }
        try {
            own.close();
        } catch (Throwable e) {
            if (thrown == null && !(e instanceof AsyncCancellation)) thrown = e;
        }
        if (fromChild != null && (thrown == null || thrown instanceof AsyncCancellation)) thrown = fromChild;
        if (thrown == null) return Answer.value(value);
        if (thrown instanceof AsyncCancellation && (withdrawn || self.isCancellationRequested()))
            return Answer.leaving(String.valueOf(thrown.getMessage()));
        return Answer.thrown(thrown);
    }
}
