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

/* What groups and sets of tasks have in common: all but who gets the outcomes. Users see it as a part of either. */
abstract sealed class GroupedTasks<T> implements Awaitable, Iterable<TaskResult<T>>, AutoCloseable
        permits TaskGroup, TaskSet {
    final GroupCore group;

    GroupedTasks(GroupSettings settings, @Nullable Scope scope, boolean consuming) {
        group = GroupCore.create("new " + settings.kind(), settings, scope == null ? null : scope.core(), consuming);
        group.watch(this);
    }

    /* Another handle of a group that has one already, or had. */
    GroupedTasks(GroupCore group) {
        this.group = group;
    }

    // ---- spawning

    /**
     * Adds a task, with the next number as its key: 0, 1, .... It begins when the caller waits or ends, or when a slot is free.
     *
     * <p>With a concurrency limit this waits while the queue is full; not so if it is called by a task of this group, or by what such a task has spawned: it
     * might wait for itself. If it throws, the task is not among them.
     *
     * @param task what it does
     * @return its handle: to await this one alone, or to cancel it
     * @throws AsyncException if this is closed or cancelled, or is while the call waits
     */
    public TaskHandle<T> spawn(Callable<? extends T> task) {
        return add(null, task, null);
    }

    /**
     * As {@link #spawn(Callable)}.
     *
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<T> spawn(Task<? extends T> task) {
        return add(null, task, null);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawn(Body task) {
        return add(null, Tasks.of(task), null);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawn(VoidTask task) {
        return add(null, Tasks.of(task), null);
    }

    /**
     * As {@link #spawn(Callable)}; gives up when the token ends.
     *
     * @param task what it does
     * @param cancellation the token
     * @return its handle
     * @throws OperationCanceledException if the token ended before there was room
     */
    public TaskHandle<T> spawn(Callable<? extends T> task, Completable<?> cancellation) {
        return add(null, task, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #spawn(Callable)}, with a key of the caller's. One that is a string is the name of the task's coroutine as well.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     * @throws AsyncException if the key is taken, or as for {@link #spawn(Callable)}
     */
    public TaskHandle<T> spawnWithKey(Object key, Callable<? extends T> task) {
        return add(Objects.requireNonNull(key, "key"), task, null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<T> spawnWithKey(Object key, Task<? extends T> task) {
        return add(Objects.requireNonNull(key, "key"), task, null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}, for a task without a result.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawnWithKey(Object key, Body task) {
        return add(Objects.requireNonNull(key, "key"), Tasks.of(task), null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}, for a task without a result.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @return its handle
     */
    public TaskHandle<?> spawnWithKey(Object key, VoidTask task) {
        return add(Objects.requireNonNull(key, "key"), Tasks.of(task), null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}; gives up when the token ends.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @param cancellation the token
     * @return its handle
     * @throws OperationCanceledException if the token ended before there was room
     */
    public TaskHandle<T> spawnWithKey(Object key, Callable<? extends T> task, Completable<?> cancellation) {
        return add(Objects.requireNonNull(key, "key"), task, Objects.requireNonNull(cancellation, "cancellation"));
    }

    private TaskHandle<T> add(@Nullable Object key, Callable<?> task, @Nullable Completable<?> cancellation) {
        try {
            return group.spawn(key, task, cancellation);
        } finally {
            Reference.reachabilityFence(this); // unreachable, it would count as closed
        }
    }

    // ---- outcomes

    @SuppressWarnings("unchecked") // the values are what the tasks returned
    static <R> Future<R> typed(Future<Object> future) {
        return (Future<R>) future;
    }

    /** The values so far by key, in the order of spawning; a snapshot. */
    @SuppressWarnings("unchecked") // as above
    public Map<Object, T> results() {
        return (Map<Object, T>) group.results();
    }

    /** What tasks have failed with so far by key, in the order of spawning; a snapshot. From now on these errors are handled. */
    public Map<Object, Throwable> errors() {
        return group.takeErrors();
    }

    /** No error of a task is to be reported, neither those that have happened nor those to come. */
    public void suppressErrors() {
        group.suppressErrors();
    }

    // ---- the end

    /** No more tasks can be spawned; those that wait to are told with an {@link AsyncException}. The tasks that are here go on. Again does nothing. */
    @Override
    public void close() {
        group.close();
    }

    /** As {@link #cancel(AsyncCancellation)} with a reason that says just that. */
    public void cancel() {
        cancel(new AsyncCancellation("task group cancelled"));
    }

    /**
     * Closes this, drops the tasks that have not begun, and cancels the others, also what they have spawned. Returns at once; {@link #isFinished} when they have
     * ended. A task that was cancelled or dropped has failed with the reason.
     *
     * @param reason what the tasks see thrown
     */
    public void cancel(AsyncCancellation reason) {
        group.cancel(reason);
    }

    /** As {@link #cancel()}; but where the scope around it lets its coroutines run on ({@link Scope#letRunOn}), the tasks that have begun do. */
    public void dispose() {
        group.dispose();
    }

    /**
     * Waits until no task runs or waits to run. Errors of tasks are not thrown, and not handled by that.
     *
     * @throws AsyncException if this is not closed, or if called from one of its tasks
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
     * Runs the callback at the end, with the handle, or one like it if that is lost by then. No instance method: what is kept must not know the handle, which would
     * then never be lost.
     */
    static <G extends GroupedTasks<?>> void whenOver(
            G handle, Function<GroupCore, G> another, Consumer<? super G> callback) {
        Objects.requireNonNull(callback, "callback");
        var weak = new WeakReference<>(handle);
        boolean later = handle.group.addFinally(ended -> {
            G known = weak.get();
            callback.accept(known != null ? known : another.apply(ended));
        });
        if (!later) callback.accept(handle);
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

    /** How many tasks it holds: of a group all that there ever were, of a set all but those whose outcome was taken. */
    public abstract int size();

    @Override
    public String toString() {
        return group.toString();
    }
}
