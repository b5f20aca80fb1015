package org.trueasync.spring;

import static org.trueasync.Async.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.springframework.util.ReflectionUtils;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Scope;

/** The run whose coroutines serve the application: the one that it starts in, or one that ends with its context. */
final class ApplicationRun implements AutoCloseable {
    private final Executor executor = Async.executor();
    private final ThreadFactory threads = Async.threadFactory();
    private final Runnable end;

    private ApplicationRun(Runnable end) {
        this.end = end;
    }

    static ApplicationRun here() {
        return new ApplicationRun(() -> {});
    }

    /** Begins a run on a thread of its own. It goes on until it is closed. */
    static ApplicationRun begin() {
        AsyncRuntime runtime = Async.runtime().name("spring-test").build();
        var begun = new CompletableFuture<ApplicationRun>();
        Thread.ofPlatform().daemon().name("spring-test").start(() -> {
            Thread loop = Thread.currentThread();
            try {
                runtime.run(() -> {
                    Scope.global().reportErrors();
                    begun.complete(new ApplicationRun(() -> end(runtime, loop)));
                    await(new CompletableFuture<>());
                });
            } catch (AsyncCancellation e) {
                // closed
            } catch (Throwable e) {
                if (!begun.completeExceptionally(e)) throw e;
            }
        });
        try {
            return begun.join();
        } catch (CompletionException e) {
            ReflectionUtils.rethrowRuntimeException(e.getCause());
            throw e;
        }
    }

    private static void end(AsyncRuntime runtime, Thread loop) {
        // no drain, as the beans are closed that the coroutines work with
        runtime.shutdownNow(new AsyncCancellation("the application is closed"));
        try {
            // a coroutine of this run, such as a start that fails, is cancelled too, and does not wait for itself
            loop.join(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An executor whose tasks are coroutines; any thread. */
    Executor executor() {
        return executor;
    }

    /** A factory of threads that are coroutines; any thread. */
    ThreadFactory threads() {
        return threads;
    }

    /** Calls it in a coroutine: in the current one, or else in one of this run. Any thread. */
    <T> T call(Callable<T> work) throws Exception {
        if (OnCoroutines.isHere()) return work.call();
        var task = new FutureTask<>(work);
        executor.execute(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            ReflectionUtils.rethrowException(e.getCause());
            throw e;
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
