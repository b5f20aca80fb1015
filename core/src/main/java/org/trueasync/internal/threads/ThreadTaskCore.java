package org.trueasync.internal.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.RemoteException;
import org.trueasync.ThreadTask;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.failure.UnobservedOutcomes;
import org.trueasync.internal.failure.UnobservedWarning;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** A task on a thread of its own: the event, on the parent's loop, of the task's end. */
public final class ThreadTaskCore<T> extends SourceEvent implements ThreadTask<T> {
    private final Loop loop;
    private final ChildRuntime child;
    private @Nullable List<Consumer<ThreadTask<T>>> finallyHandlers;
    private boolean done;
    private @Nullable T value;
    private @Nullable Throwable error;
    /** True if somebody waits for it, or has asked for its error. */
    private boolean used;

    private UnobservedOutcomes.@Nullable Watch unobservedWatch;

    private ThreadTaskCore(ThreadsOfRun family, TaskRun<T> task) {
        super(family.owner().activeEvents());
        loop = family.owner();
        child = new ChildRuntime(family, family.newName("thread"), false, true, task, thrown -> {
            T result = task.value;
            Throwable failure = task.failure(thrown);
            loop.post(() -> ended(result, failure), () -> reportAfterRun(failure));
        });
    }

    /**
     * Starts a task on a thread of its own.
     *
     * @param task its main coroutine
     * @param bootloader runs on the thread before the task; null for none
     */
    public static <T> ThreadTask<T> start(Callable<T> task, @Nullable Body bootloader) {
        Objects.requireNonNull(task, "task");
        Loop parent = Runtimes.here("Async.spawnThread");
        var started = new ThreadTaskCore<T>(ThreadsOfRun.of(parent), new TaskRun<>(task, bootloader));
        started.child.start();
        return started;
    }

    /** The main coroutine of the thread. */
    private static final class TaskRun<T> implements Body {
        private final Callable<T> task;
        private final @Nullable Body bootloader;
        private @Nullable Coroutine<?> main;
        private @Nullable Throwable thrown;

        @Nullable
        T value;

        TaskRun(Callable<T> task, @Nullable Body bootloader) {
            this.task = task;
            this.bootloader = bootloader;
        }

        @Override
        public void run() {
            main = Runtimes.currentCoroutine("Async.spawnThread");
            try {
                if (bootloader != null) bootloader.run();
                value = task.call();
            } catch (Throwable e) {
                thrown = e;
                throw Throwing.sneaky(e);
            }
        }

        /**
         * Returns the error that the awaiters get, or null for a success.
         *
         * @param ofRun what the run has thrown, or null
         */
        @Nullable
        Throwable failure(@Nullable Throwable ofRun) {
            if (ofRun != null) {
                // A checked exception comes out of a run as the cause of another one.
                boolean wrapped = Throwing.isChecked(thrown) && Causes.cause(ofRun) == thrown;
                Throwable original = wrapped ? Objects.requireNonNull(thrown) : ofRun;
                return new RemoteException("thread '" + Thread.currentThread().getName() + "'", original);
            }
            if (main == null) return new AsyncCancellation("the thread was cancelled before its task began");
            return main.isCancelled() ? main.exception() : null;
        }
    }

    private void ended(@Nullable T result, @Nullable Throwable failure) {
        value = failure == null ? result : null;
        error = failure;
        done = true;
        if (failure instanceof RemoteException && !used)
            unobservedWatch = loop.unobserved().watch(this, new Unawaited(failure));
        close();
        notifyCallbacks(value, error);
        List<Consumer<ThreadTask<T>>> handlers = finallyHandlers;
        finallyHandlers = null;
        if (handlers == null) return;
        for (Consumer<ThreadTask<T>> handler : handlers) loop.continueWith(() -> handler.accept(this));
    }

    /** The warning about an error that nobody has received. */
    private static final class Unawaited extends UnobservedWarning {
        private final Throwable error;

        Unawaited(Throwable error) {
            this.error = error;
        }

        @Override
        protected String text() {
            return "Nobody awaited a thread that has failed\n" + Causes.trace(error);
        }
    }

    private void markUsed() {
        used = true;
        UnobservedOutcomes.Watch watched = unobservedWatch;
        if (watched == null) return;
        unobservedWatch = null;
        watched.settle();
    }

    /** Reports an error after the parent's run has ended. On a thread of the JDK's. */
    private void reportAfterRun(@Nullable Throwable failure) {
        if (failure instanceof RemoteException) {
            String text = "A thread has failed, and the run that started it had ended\n" + Causes.trace(failure);
            loop.settings().diagnostics().accept(text);
        }
    }

    // ---- the handle

    @Override
    public boolean isRunning() {
        return !done;
    }

    @Override
    public boolean isCompleted() {
        return done;
    }

    @Override
    public boolean isCancelled() {
        return error instanceof AsyncCancellation;
    }

    @Override
    public @Nullable T result() {
        loop.requireLoopThreadOrEnd("ThreadTask.result");
        return value;
    }

    @Override
    public @Nullable Throwable error() {
        loop.requireLoopThreadOrEnd("ThreadTask.error");
        if (error != null) markUsed();
        return error;
    }

    @Override
    public void cancel() {
        cancel(new AsyncCancellation());
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        loop.requireLoopThread("ThreadTask.cancel");
        Objects.requireNonNull(reason, "reason");
        if (!done) child.shutdown(reason);
    }

    @Override
    public void onFinally(Consumer<ThreadTask<T>> callback) {
        loop.requireLoopThread("ThreadTask.onFinally");
        Objects.requireNonNull(callback, "callback");
        if (done) {
            callback.accept(this);
            return;
        }
        if (finallyHandlers == null) finallyHandlers = new ArrayList<>(1);
        finallyHandlers.add(callback);
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        loop.requireLoopThread("ThreadTask.toCompletableFuture");
        markUsed();
        return EventFuture.of(this, loop.continuations());
    }

    // ---- the event

    @Override
    protected void armSource() {
        markUsed();
    }

    @Override
    protected void disarmSource() {}

    @Override
    public boolean replay(EventCallback callback) {
        if (!done) return super.replay(callback);
        markUsed();
        deliver(callback, value, error);
        return true;
    }

    @Override
    public String info() {
        return child + (!done ? ", running" : isCancelled() ? ", cancelled" : ", completed");
    }

    @Override
    public String toString() {
        return info();
    }
}
