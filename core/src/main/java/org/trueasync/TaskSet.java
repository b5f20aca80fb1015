package org.trueasync;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupCore;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.group.TakingIterator;

/**
 * Tasks whose outcomes are handed out once: {@link #joinNext}, {@link #joinAny}, {@link #joinAll} and the iterator take
 * outcomes out of the set, and {@link #size} drops. Made for long-running work: the set does not keep what has been
 * taken. Everything else is as in a {@link TaskGroup}.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="set" :
 * var set = new TaskSet<String>(10);
 * for (String url : urls) set.spawn(() -> fetch(url));
 * set.close();
 * for (TaskResult<String> one : set) show(one);
 * }
 *
 * <p>An outcome belongs to the set until it is handed out: a wait that ends early, by a token or a cancellation, takes
 * none.
 *
 * <p>Loop thread only, except {@code builder} and {@code size}.
 *
 * @param <T> type of the values
 */
public final class TaskSet<T> extends GroupedTasks<T> {
    /**
     * Creates a set without a limit, in the current scope.
     *
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskSet() {
        this(0);
    }

    /**
     * Creates a set in the current scope. Its queue holds twice as many tasks as the limit.
     *
     * @param concurrency how many tasks may run at the same time; >= 0; 0 for no limit
     * @throws IllegalArgumentException if the concurrency is negative
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskSet(int concurrency) {
        this(null, concurrency, GroupSettings.DEFAULT_QUEUE, null);
    }

    private TaskSet(@Nullable String name, int concurrency, int queueLimit, @Nullable Scope scope) {
        super(GroupSettings.of("TaskSet", name, concurrency, queueLimit), scope, true);
    }

    private TaskSet(GroupCore group) {
        super(group);
    }

    /** Returns a builder of a set, for more settings than the concurrency. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    /**
     * Returns a future that takes the outcome of the task that settles next, or has settled and was not taken. If other
     * calls have taken all outcomes of a closed set, the future fails with an {@link AsyncException}. A future of which
     * a wait was given up takes nothing until it is awaited again.
     *
     * @throws AsyncException if the set is empty
     */
    public Future<T> joinNext() {
        return typed(new Future<>(group.joins().next()));
    }

    /**
     * Returns a future that takes the value of the task that succeeds next, or has succeeded and was not taken. If all
     * tasks that are in the set now fail, the future takes their errors and fails with a {@link CompositeException} of
     * them, or with an {@link AsyncException} if other calls have taken all their outcomes. A future of which a wait
     * was given up takes nothing until it is awaited again.
     *
     * @throws AsyncException if the set is empty
     */
    public Future<T> joinAny() {
        return typed(new Future<>(group.joins().any()));
    }

    /**
     * Returns a future that takes the values of the tasks that are in the set now, by key, in the order of spawning,
     * once all have settled. Outcomes that other calls have taken by then are left out. If any task fails, the future
     * takes the errors only, and fails with a {@link CompositeException} of them. Without tasks it has an empty map at
     * once. A task that awaits it would wait for itself; that wait throws.
     */
    public Future<Map<Object, T>> joinAll() {
        return joinAll(false);
    }

    /**
     * As {@link #joinAll()}, with the choice to take the values only. The errors stay in the set then.
     *
     * @param ignoreErrors true for the values of the tasks that succeed
     */
    public Future<Map<Object, T>> joinAll(boolean ignoreErrors) {
        return typed(new Future<>(group.joins().all(ignoreErrors)));
    }

    /**
     * Returns an iterator that takes the outcomes in the order of settling. {@code hasNext} waits for the next one and
     * sets it aside for {@code next}; it is false when the set is closed and empty. {@code next} removes the outcome
     * from the set before it returns it. Several iterators share the outcomes.
     */
    @Override
    public Iterator<TaskResult<T>> iterator() {
        return new TakingIterator<>(group, this);
    }

    /**
     * Runs the callback once when the set is closed and all tasks have settled, in a coroutine that belongs to no task,
     * after the coroutines that wait for that. Several callbacks run in one coroutine, in the order of registration. If
     * the set has ended already, the callback runs at once in the caller.
     *
     * @param callback gets the set; may wait
     */
    public void onFinally(Consumer<? super TaskSet<T>> callback) {
        addFinally(this, TaskSet::new, callback);
    }

    /** Settings for a {@link TaskSet}. Belongs to whoever made it. */
    public static final class Builder<T> extends GroupBuilder<T, Builder<T>> {
        private Builder() {}

        @Override
        Builder<T> self() {
            return this;
        }

        /**
         * Creates a set with these settings.
         *
         * @throws AsyncException if there is no runtime here, or the scope has ended
         */
        @Override
        public TaskSet<T> build() {
            return new TaskSet<>(name, concurrency, queueLimit, scope);
        }
    }
}
