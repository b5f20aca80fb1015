package org.trueasync;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupCore;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.task.Tasks;

/*
 * What task groups and task sets have in common: everything but the ways to get the outcomes. Users see its methods in
 * both.
 */
abstract sealed class GroupedTasks<T> implements Awaitable, Iterable<TaskResult<T>>, AutoCloseable
        permits TaskGroup, TaskSet {
    final GroupCore group;

    GroupedTasks(GroupSettings settings, @Nullable Scope scope, boolean consuming) {
        group = GroupCore.create("new " + settings.kind(), settings, scope == null ? null : scope.core(), consuming);
        group.watch(this);
    }

    /* A second handle of a group whose first one may be lost. */
    GroupedTasks(GroupCore group) {
        this.group = group;
    }

    // ---- spawning

    /**
     * Adds a task, with the next free number as its key: 0, 1, .... It begins when the caller waits or ends, and a slot
     * is free.
     *
     * <p>With a concurrency limit this waits while the queue is full. It does not wait in a task of this group, or in a
     * coroutine that such a task has spawned, as these might wait for themselves. If this throws, the task was not
     * added.
     *
     * @param task what it does
     * @return its handle: to await this task alone, or to cancel it
     * @throws AsyncException if this is closed or cancelled, before the call or while it waits
     * @throws AsyncCancellation if this coroutine was cancelled, and has to wait
     */
    public TaskHandle<T> spawn(Callable<? extends T> task) {
        return add(null, task);
    }

    /**
     * As {@link #spawn(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<T> spawn(Task<? extends T> task) {
        return add(null, task);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawn(Body task) {
        return add(null, Tasks.of(task));
    }

    /**
     * As {@link #spawn(Callable)}, with a key that the caller chooses. A string as the key is also the name of the
     * task's coroutine.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     * @throws AsyncException if the key is taken, or as for {@link #spawn(Callable)}
     */
    public TaskHandle<T> spawnWithKey(Object key, Callable<? extends T> task) {
        return add(Objects.requireNonNull(key, "key"), task);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<T> spawnWithKey(Object key, Task<? extends T> task) {
        return add(Objects.requireNonNull(key, "key"), task);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}, for a task without a result.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawnWithKey(Object key, Body task) {
        return add(Objects.requireNonNull(key, "key"), Tasks.of(task));
    }

    private TaskHandle<T> add(@Nullable Object key, Callable<?> task) {
        try {
            return group.spawn(key, task);
        } finally {
            Reference.reachabilityFence(this); // an unreachable group counts as closed
        }
    }

    // ---- outcomes

    @SuppressWarnings("unchecked") // the values are what the tasks returned
    static <R> Future<R> typed(Future<Object> future) {
        return (Future<R>) future;
    }

    /** Returns the values so far by key, in the order of spawning; a snapshot. */
    @SuppressWarnings("unchecked") // as above
    public Map<Object, T> results() {
        return (Map<Object, T>) group.results();
    }

    /**
     * Returns the errors of failed tasks so far by key, in the order of spawning; a snapshot. These errors count as
     * handled from now on.
     */
    public Map<Object, Throwable> errors() {
        return group.takeErrors();
    }

    /** Turns off reports of unobserved task errors: of those that have happened, and of those to come. */
    public void suppressErrors() {
        group.suppressErrors();
    }

    // ---- the end

    /**
     * Refuses new tasks: calls of {@code spawn} that wait throw an {@link AsyncException}. The tasks that were added go
     * on. A second call does nothing.
     */
    @Override
    public void close() {
        group.close();
    }

    /** As {@link #cancel(AsyncCancellation)} with the reason "task group cancelled", for a set "task set cancelled". */
    public void cancel() {
        group.cancel();
    }

    /**
     * Closes this, drops the tasks that have not begun, and cancels the others, with the coroutines that they have
     * spawned. Returns at once; {@link #isFinished} is true when they have ended. A task that was dropped, or that ends
     * by the cancellation, has failed with the reason.
     *
     * @param reason what is thrown in the tasks
     */
    public void cancel(AsyncCancellation reason) {
        group.cancel(reason);
    }

    /**
     * As {@link #cancel()}, but tasks that have begun run on if the scope around this let its coroutines run on
     * ({@link Scope#letRunOn}) when this was created.
     */
    public void dispose() {
        group.dispose();
    }

    /**
     * Waits until no task runs or waits to run. Errors of tasks are not thrown, and do not count as handled by that.
     *
     * @throws AsyncException if this is not closed, or if called from one of its tasks or from a coroutine that such a
     *     task has spawned
     * @throws AsyncCancellation if this coroutine was cancelled, and has to wait
     */
    public void awaitCompletion() {
        group.awaitCompletion(null);
    }

    /**
     * As {@link #awaitCompletion()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; the tasks go on
     */
    public void awaitCompletion(Completable<?> cancellation) {
        group.awaitCompletion(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /*
     * Runs the callback at the end, with the handle, or with a new handle if the old one is unreachable by then.
     * Static, because the stored callback must not keep the handle reachable: a lost handle is noticed when it is
     * collected.
     */
    static <G extends GroupedTasks<?>> void addFinally(
            G handle, Function<GroupCore, G> newHandle, Consumer<? super G> callback) {
        Objects.requireNonNull(callback, "callback");
        var weak = new WeakReference<>(handle);
        boolean isRegistered = handle.group.addFinally(ended -> {
            G known = weak.get();
            callback.accept(known != null ? known : newHandle.apply(ended));
        });
        if (!isRegistered) callback.accept(handle);
    }

    // ---- about it

    /** True while no task runs or waits to run; so also before the first one. */
    public boolean isFinished() {
        return group.isFinished();
    }

    /** True once no more tasks can be spawned. */
    public boolean isClosed() {
        return group.isClosed();
    }

    /**
     * Returns how many tasks it holds: a group all that were spawned, also settled ones; a set all except those whose
     * outcome was taken.
     */
    public int size() {
        return group.size();
    }

    @Override
    public String toString() {
        return group.toString();
    }
}
