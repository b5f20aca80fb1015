package org.trueasync;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupCore;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.group.TakingIterator;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Tasks;

/**
 * Tasks whose outcomes are handed out once: {@link #joinNext}, {@link #joinAny}, {@link #joinAll} and the iterator take an outcome out of the set, in the order of settling, and
 * {@link #size} drops. Made for work that goes on for long: what has been taken is not kept. Everything else is as in a {@link TaskGroup}.
 *
 * <pre>{@code
 * var set = new TaskSet<Page>(10);
 * for (String url : urls) set.spawn(() -> fetch(url));
 * set.close();
 * for (TaskResult<Page> one : set) show(one);
 * }</pre>
 *
 * <p>An outcome belongs to the set until it is handed out: a wait for it that is given up, by a token or a cancellation, takes none.
 *
 * <p>Loop thread only.
 *
 * @param <T> type of the values
 */
public final class TaskSet<T> implements Awaitable, Iterable<TaskResult<T>>, AutoCloseable {
    private final GroupCore group;

    /**
     * A set without a limit, in the current scope.
     *
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskSet() {
        this(0);
    }

    /**
     * A set in the current scope. Twice as many tasks as run may wait.
     *
     * @param concurrency how many tasks run at the same time; >= 0; 0 for no limit
     * @throws IllegalArgumentException if negative
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskSet(int concurrency) {
        this(concurrency, GroupSettings.DEFAULT_QUEUE, null);
    }

    private TaskSet(int concurrency, int queueLimit, @Nullable Scope scope) {
        GroupSettings.requireConcurrency(concurrency);
        CoroutineScope parent = scope == null ? null : scope.core();
        group = GroupCore.create("new TaskSet", GroupSettings.of("TaskSet", concurrency, queueLimit), parent, true);
        group.watch(this);
    }

    private TaskSet(GroupCore group) {
        this.group = group;
    }

    /** A set with more than a concurrency to say about it. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    // ---- spawning

    /**
     * Adds a task, with the next number as its key: 0, 1, .... It begins when the caller waits or ends, or when a slot is free.
     *
     * <p>With a concurrency limit this waits while the queue is full. If it throws, the task is not in the set.
     *
     * @param task what it does
     * @return its key
     * @throws AsyncException if the set is closed or cancelled, or is while this waits
     */
    public int spawn(Callable<? extends T> task) {
        return (int) add(null, task, null);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     * @return its key
     */
    public int spawn(Body task) {
        return (int) add(null, Tasks.of(task), null);
    }

    /**
     * As {@link #spawn(Callable)}; gives up when the token ends.
     *
     * @param task what it does
     * @param cancellation the token
     * @return its key
     * @throws OperationCanceledException if the token ended before there was room
     */
    public int spawn(Callable<? extends T> task, Completable<?> cancellation) {
        return (int) add(null, task, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #spawn(Callable)}, with a key of the caller's.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @throws AsyncException if the key is taken, or as for {@link #spawn(Callable)}
     */
    public void spawnWithKey(Object key, Callable<? extends T> task) {
        add(Objects.requireNonNull(key, "key"), task, null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}, for a task without a result.
     *
     * @param key anything that no other task here has
     * @param task what it does
     */
    public void spawnWithKey(Object key, Body task) {
        add(Objects.requireNonNull(key, "key"), Tasks.of(task), null);
    }

    /**
     * As {@link #spawnWithKey(Object, Callable)}; gives up when the token ends.
     *
     * @param key anything that no other task here has
     * @param task what it does
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended before there was room
     */
    public void spawnWithKey(Object key, Callable<? extends T> task, Completable<?> cancellation) {
        add(Objects.requireNonNull(key, "key"), task, Objects.requireNonNull(cancellation, "cancellation"));
    }

    private Object add(@Nullable Object key, Callable<?> task, @Nullable Completable<?> cancellation) {
        try {
            return group.spawn(key, task, cancellation);
        } finally {
            Reference.reachabilityFence(this); // unreachable, it would count as closed
        }
    }

    // ---- outcomes

    /**
     * Takes the value or error of the task that settles next, or has settled and was not taken. If a wait for the future is given up, it takes nothing until it is
     * awaited again.
     *
     * @throws AsyncException if the set is empty
     */
    public Future<T> joinNext() {
        return typed(group.joins().next());
    }

    /**
     * Takes the value of the task that succeeds next, or has succeeded and was not taken. If all tasks that are here now fail, the future takes their errors and
     * fails with a {@link CompositeException} of them. If a wait for the future is given up, it takes nothing until it is awaited again.
     *
     * @throws AsyncException if the set is empty
     */
    public Future<T> joinAny() {
        return typed(group.joins().any());
    }

    /**
     * Takes the values of the tasks that are here now, by key, in the order of spawning, once all have settled; those that others have taken by then are not in
     * it. If any fails, the future takes the errors only, and fails with a {@link CompositeException} of them. Without tasks the map is empty, at once.
     */
    public Future<Map<Object, T>> joinAll() {
        return joinAll(false);
    }

    /**
     * As {@link #joinAll()}; a choice to take the values only. The errors stay in the set.
     *
     * @param ignoreErrors true for the values of those that succeed
     */
    public Future<Map<Object, T>> joinAll(boolean ignoreErrors) {
        return typed(group.joins().all(ignoreErrors));
    }

    /**
     * Takes the outcomes in the order of settling; {@code hasNext} waits for the next one and sets it aside for {@code next}, and is false when the set is closed and nothing is
     * left. An outcome is out of the set before {@code next} returns it. Several iterators share the outcomes.
     */
    @Override
    public Iterator<TaskResult<T>> iterator() {
        return new TakingIterator<>(group, this);
    }

    @SuppressWarnings("unchecked") // the values are what the tasks returned
    private static <R> Future<R> typed(Future<Object> future) {
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
     * Closes the set, drops the tasks that have not begun, and cancels the others, also what they have spawned. Returns at once; {@link #isFinished} when they have
     * ended. A task that was cancelled or dropped has failed with the reason.
     *
     * @param reason what the tasks see thrown
     */
    public void cancel(AsyncCancellation reason) {
        group.cancel(reason);
    }

    /** As {@link #cancel()}, but if its scope is safe, as the one around it was when the set was made, the tasks that have begun go on as zombies. */
    public void dispose() {
        group.dispose();
    }

    /**
     * Waits until no task runs or waits to run. Errors of tasks are not thrown, and not handled by that.
     *
     * @throws AsyncException if the set is not closed, or if called from one of its tasks
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

    /**
     * Runs the callback once when the set is closed and all tasks have settled, in a coroutine of its own, after those who wait for that; at once and in the caller if
     * that is so already. Several run in the order of registration.
     *
     * @param callback gets the set; may wait
     */
    public void onFinally(Consumer<? super TaskSet<T>> callback) {
        Objects.requireNonNull(callback, "callback");
        // Must not know this handle, which would then never be lost.
        var handle = new WeakReference<>(this);
        boolean later = group.addFinally(ended -> {
            TaskSet<T> known = handle.get();
            callback.accept(known != null ? known : new TaskSet<>(ended));
        });
        if (!later) callback.accept(this);
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

    /** How many tasks are here: those that run or wait, and those whose outcome nobody has taken. */
    public int size() {
        return group.size();
    }

    @Override
    public String toString() {
        return group.toString();
    }

    /** Settings for a {@link TaskSet}. */
    public static final class Builder<T> {
        private int concurrency;
        private int queueLimit = GroupSettings.DEFAULT_QUEUE;
        private @Nullable Scope scope;

        private Builder() {}

        /**
         * How many tasks run at the same time.
         *
         * @param limit >= 0; 0, the default, for no limit
         */
        public Builder<T> concurrency(int limit) {
            GroupSettings.requireConcurrency(limit);
            concurrency = limit;
            return this;
        }

        /**
         * How many tasks wait for a slot before {@link TaskSet#spawn} waits as well; of no consequence without a concurrency limit.
         *
         * @param limit >= 0; 0 for no limit; twice the concurrency by default
         */
        public Builder<T> queueLimit(int limit) {
            GroupSettings.requireQueueLimit(limit);
            queueLimit = limit;
            return this;
        }

        /**
         * The scope to work in: the set has a scope of its own inside.
         *
         * @param parent in place of the current scope
         */
        public Builder<T> scope(Scope parent) {
            scope = Objects.requireNonNull(parent, "scope");
            return this;
        }

        /**
         * A new set.
         *
         * @throws AsyncException if there is no runtime here, or the scope has ended
         */
        public TaskSet<T> build() {
            return new TaskSet<>(concurrency, queueLimit, scope);
        }
    }
}
