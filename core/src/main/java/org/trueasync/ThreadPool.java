package org.trueasync;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.run.Machine;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.threads.ThreadPoolCore;

/**
 * Threads for work that computes or blocks, each with a runtime of its own: the workers. Tasks wait in one queue and
 * begin in its order; {@code submit} waits while the queue is full.
 *
 * <p>In plain mode a worker has one task at a time; in coroutine mode it begins the next one while a task waits. In
 * both modes a task is a coroutine: it may wait and spawn. Coroutines that it has spawned and not awaited are cancelled
 * when it ends.
 *
 * <p>A task's future need not be awaited; the task runs anyway. If the future has been awaited and all waits for it
 * have been given up, the task is cancelled: it does not begin, or its coroutines are cancelled at their next wait.
 *
 * <p>A pool ends with the run in which it was made: the tasks in its queue are rejected, its workers are shut down.
 *
 * <p>Any coroutine of any runtime may submit tasks and reload. Any thread may use {@link #close}, {@link #cancel},
 * {@link #isClosed}, the counters and {@link #toString}.
 *
 * <p>Memory consistency effects: actions before the submission of a task happen-before the task, and the task
 * happens-before the return from a wait for its future.
 */
public final class ThreadPool implements AutoCloseable {
    private static final int QUEUED_PER_WORKER = 4;

    private final ThreadPoolCore core;

    /**
     * Creates a plain pool with as many workers as there are processors.
     *
     * @throws AsyncException outside a runtime
     */
    public ThreadPool() {
        this(0);
    }

    /**
     * Creates a plain pool.
     *
     * @param workers how many; 0 for as many as there are processors
     * @throws IllegalArgumentException if negative
     * @throws AsyncException outside a runtime
     */
    public ThreadPool(int workers) {
        this(builder().workers(workers));
    }

    private ThreadPool(Builder builder) {
        if (builder.concurrency > 0 && !builder.coroutineMode)
            throw new IllegalArgumentException("concurrency " + builder.concurrency
                    + " needs coroutineMode(true); a plain worker has one task at a time");
        int workers = builder.workers > 0 ? builder.workers : Machine.parallelism();
        int queue = builder.queueSize > 0
                ? builder.queueSize
                : (int) Math.min(Integer.MAX_VALUE, (long) QUEUED_PER_WORKER * workers);
        int maxInCoroutineMode = builder.concurrency > 0 ? builder.concurrency : Integer.MAX_VALUE;
        int maxTasksPerWorker = builder.coroutineMode ? maxInCoroutineMode : 1;
        core = new ThreadPoolCore(workers, queue, builder.bootloader, builder.coroutineMode, maxTasksPerWorker);
    }

    /** Returns a builder with the settings of a pool. */
    public static Builder builder() {
        return new Builder();
    }

    // ---- tasks

    /**
     * Submits a task. Waits while the queue is full. A task of this pool does not wait, as it might wait for itself:
     * what it submits is queued beyond the size of the queue.
     *
     * @param task runs on a worker; objects that it shares with other threads must be thread-safe
     * @return a future of its value, or of what it threw. The future fails with a {@link ThreadPoolException} if the
     *     worker ends before the task does, or if the pool ends because a worker could not begin
     * @throws ThreadPoolException if the pool is closed before the call or while it waits; if it has ended because a
     *     worker could not begin, the reason is the cause
     * @throws AsyncCancellation if this coroutine was cancelled while it waited; the task is not run then
     * @throws AsyncException outside a runtime, or if it has to wait outside a coroutine
     */
    public <T> Future<T> submit(Callable<T> task) {
        return new Future<>(core.submit(Objects.requireNonNull(task, "task"), null));
    }

    /**
     * As {@link #submit(Callable)}; gives up when the token ends.
     *
     * @param task runs on a worker
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if the queue has
     *     room; the task is not run then
     * @throws ThreadPoolException as {@link #submit(Callable)}
     * @throws AsyncCancellation as {@link #submit(Callable)}
     * @throws AsyncException as {@link #submit(Callable)}
     */
    public <T> Future<T> submit(Callable<T> task, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return new Future<>(core.submit(Objects.requireNonNull(task, "task"), cancellation));
    }

    /**
     * As {@link #submit(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task runs on a worker
     */
    public <T> Future<T> submit(Task<T> task) {
        return submit((Callable<T>) task);
    }

    /**
     * As {@link #submit(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Future<?> submit(Body task) {
        return new Future<>(core.submit(Tasks.of(task), null));
    }

    /**
     * Applies a function to each item, on all workers. When all items have been submitted, it waits for all results,
     * and throws the first error at once. If this method throws, the tasks that have not ended are cancelled.
     *
     * @param items may be empty
     * @param function runs on the workers
     * @return the results in the order of the items
     * @throws ThreadPoolException as {@link #submit(Callable)}
     * @throws AsyncCancellation if this coroutine was cancelled while it waited
     * @throws AsyncException outside a coroutine
     */
    public <A, T> List<T> map(List<? extends A> items, Function<? super A, ? extends T> function) {
        Objects.requireNonNull(function, "function");
        return all(items, function);
    }

    /**
     * As {@link #map(List, Function)}, for the values of a map.
     *
     * @param items may be empty
     * @param function runs on the workers
     * @return the results with their keys, in the order of the items
     */
    public <K, A, T> Map<K, T> map(Map<K, ? extends A> items, Function<? super A, ? extends T> function) {
        Objects.requireNonNull(function, "function");
        var keys = new ArrayList<K>(items.size());
        var values = new ArrayList<A>(items.size());
        items.forEach((key, value) -> {
            keys.add(key);
            values.add(value);
        });
        List<T> results = all(values, function);
        var byKey = new LinkedHashMap<K, T>();
        for (int i = 0; i < keys.size(); i++) byKey.put(keys.get(i), results.get(i));
        return byKey;
    }

    private <A, T> List<T> all(List<? extends A> items, Function<? super A, ? extends T> function) {
        var futures = new ArrayList<Future<T>>(items.size());
        boolean done = false;
        try {
            for (A item : items) futures.add(new Future<>(core.submit(() -> function.apply(item), null)));
            List<T> results = Async.awaitAllOrFail(futures);
            done = true;
            return results;
        } finally {
            // the last ones first, because they are probably still in the queue
            if (!done) for (Future<T> future : futures.reversed()) future.cancel();
        }
    }

    // ---- the end

    /**
     * Refuses new tasks and waits until all accepted tasks and the workers have ended; calls of {@code submit} that
     * wait throw a {@link ThreadPoolException}. Every further call waits too. Called by a task of this pool, it does
     * not wait. Any thread: a coroutine suspends, another thread blocks.
     *
     * @throws AsyncCancellation if this coroutine was cancelled, or this thread interrupted, while it waited; the pool
     *     ends all the same
     * @throws AsyncException if it has to wait on a loop thread outside a coroutine; the pool ends all the same
     */
    @Override
    public void close() {
        core.close();
    }

    /**
     * Refuses new tasks and rejects those in the queue: their futures end with an {@link AsyncCancellation}. Calls of
     * {@code submit} that wait throw a {@link ThreadPoolException}. Running tasks go on in plain mode; in coroutine
     * mode they are cancelled. Returns at once. Any thread.
     */
    public void cancel() {
        core.cancel();
    }

    /**
     * Replaces the workers, one after the other, while the pool goes on. A new worker runs its bootloader; then an old
     * one takes no more tasks, ends those that it has, and ends. Returns when the workers have been replaced by ones
     * that began after this call; all calls made during a reload share the next one. If a new worker can't begin, the
     * remaining old ones go on, the reason goes to the {@linkplain AsyncRuntime.Builder#diagnostics diagnostics} sink,
     * and this method returns normally. It also returns normally if the pool is closed while it waits.
     *
     * @throws ThreadPoolException if the pool is closed before the call
     * @throws AsyncCancellation if this coroutine was cancelled while it waited; the old workers that have not been
     *     replaced go on
     * @throws AsyncException outside a runtime, or if it has to wait outside a coroutine
     */
    public void reload() {
        core.reload();
    }

    // ---- counters, each of them true a moment ago

    /** Returns how many tasks are in the queue. Any thread. */
    public int pendingCount() {
        return core.pendingCount();
    }

    /** Returns how many tasks workers have taken that have not ended. Any thread. */
    public int runningCount() {
        return core.runningCount();
    }

    /** Returns how many tasks have ended: by value, by error, cancelled or rejected. Any thread. */
    public int completedCount() {
        return core.completedCount();
    }

    /**
     * Returns how many workers have been started and have not ended; 0 once {@link #close} has waited for them. Any
     * thread.
     */
    public int workerCount() {
        return core.workerCount();
    }

    /** True once the pool refuses new tasks. Any thread. */
    public boolean isClosed() {
        return core.isClosed();
    }

    @Override
    public String toString() {
        return core.toString();
    }

    /** Collects the settings of a pool; each has a default. Not thread-safe. */
    public static final class Builder {
        private int workers;
        private int queueSize;
        private int concurrency;
        private boolean coroutineMode;
        private @Nullable Body bootloader;

        private Builder() {}

        /**
         * Sets the number of threads. Default 0: as many as there are processors.
         *
         * @param count >= 0
         * @throws IllegalArgumentException if negative
         */
        public Builder workers(int count) {
            workers = atLeastZero("workers", count);
            return this;
        }

        /**
         * Sets how many tasks may wait in the queue. Default 0: four for each worker.
         *
         * @param count >= 0
         * @throws IllegalArgumentException if negative
         */
        public Builder queueSize(int count) {
            queueSize = atLeastZero("queueSize", count);
            return this;
        }

        /**
         * Sets an action that each worker runs before its first task. If it fails, the pool ends: the tasks in the
         * queue, and all further calls of {@code submit}, fail with its error as the cause. If it fails in a
         * {@link ThreadPool#reload}, the old workers go on.
         *
         * @param body may wait
         */
        public Builder bootloader(Body body) {
            bootloader = Objects.requireNonNull(body, "bootloader");
            return this;
        }

        /**
         * Sets whether a worker begins the next task while one waits. Default false.
         *
         * @param on true for coroutine mode
         */
        public Builder coroutineMode(boolean on) {
            coroutineMode = on;
            return this;
        }

        /**
         * Sets how many tasks a worker has at a time in coroutine mode. Default 0: no limit.
         *
         * @param count >= 0
         * @throws IllegalArgumentException if negative
         */
        public Builder concurrency(int count) {
            concurrency = atLeastZero("concurrency", count);
            return this;
        }

        private static int atLeastZero(String what, int count) {
            if (count < 0) throw new IllegalArgumentException(what + " must be >= 0, got " + count);
            return count;
        }

        /**
         * Creates a pool with these settings and starts its workers.
         *
         * @throws IllegalArgumentException if a concurrency was set without coroutine mode
         * @throws AsyncException outside a runtime
         */
        public ThreadPool build() {
            return new ThreadPool(this);
        }
    }
}
