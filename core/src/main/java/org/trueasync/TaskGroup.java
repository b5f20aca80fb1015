package org.trueasync;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupCore;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.group.WatchingIterator;

/**
 * Tasks that belong together, in a scope of their own. Each task has a key; a limit may say how many run at the same
 * time; their outcomes are kept until the group is garbage. Ask for {@link #all}, {@link #race} or {@link #any}, or
 * iterate: outcomes come as tasks settle. A {@link TaskSet} hands each outcome out once instead.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="group" :
 * var group = new TaskGroup<String>(3);
 * for (String url : urls) group.spawnWithKey(url, () -> fetch(url));
 * Map<Object, String> pages = group.all().await();
 * }
 *
 * <p>With a concurrency limit, the tasks beyond it wait without a coroutine, first come, first served; {@link #spawn}
 * waits while the queue is full. A task that waits for others of its own group, by a handle, a future of the group or
 * an iterator, does not count against the limit meanwhile. If it gives that wait up, one task more than the limit may
 * run until the next task ends.
 *
 * <p>The group keeps the errors of its tasks; they do not end the scope around it. An error counts as handled once the
 * program gets it: from {@link #errors}, by iterating, from one of the futures, or from a task's handle. Errors that
 * are still unobserved when the group is unreachable and its last task has settled, or when the run ends, are reported
 * to the group's scope, together and once.
 *
 * <p>Loop thread only, except {@code builder} and {@code size}.
 *
 * @param <T> type of the values
 */
public final class TaskGroup<T> extends GroupedTasks<T> {
    /**
     * Creates a group without a limit, in the current scope.
     *
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskGroup() {
        this(0);
    }

    /**
     * Creates a group in the current scope. Its queue holds twice as many tasks as the limit.
     *
     * @param concurrency how many tasks may run at the same time; >= 0; 0 for no limit
     * @throws IllegalArgumentException if the concurrency is negative
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskGroup(int concurrency) {
        this(null, concurrency, GroupSettings.DEFAULT_QUEUE, null);
    }

    private TaskGroup(@Nullable String name, int concurrency, int queueLimit, @Nullable Scope scope) {
        super(GroupSettings.of("TaskGroup", name, concurrency, queueLimit), scope, false);
    }

    private TaskGroup(GroupCore group) {
        super(group);
    }

    /** Returns a builder of a group, for more settings than the concurrency. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    /**
     * Returns a future of the values of all tasks that are in the group now, by key, in the order of spawning. It
     * completes when all have settled. If any of them has failed, the future fails with a {@link CompositeException} of
     * all errors, in the same order. Without tasks it has an empty map at once. A task that awaits it would wait for
     * itself; that wait throws.
     */
    public Future<Map<Object, T>> all() {
        return all(false);
    }

    /**
     * As {@link #all()}, with the choice to leave out the tasks that fail. Their errors do not count as handled then:
     * see {@link #errors} and {@link #suppressErrors}.
     *
     * @param ignoreErrors true for the values of the tasks that succeed
     */
    public Future<Map<Object, T>> all(boolean ignoreErrors) {
        return typed(group.queries().<Future<Object>>all(ignoreErrors, Future::new));
    }

    /**
     * Returns a future of the value or error of the task that settles first, of those in the group now. If some have
     * settled already, it is the one of them that was spawned first. The other tasks go on.
     *
     * @throws AsyncException if the group is empty
     */
    public Future<T> race() {
        return typed(group.queries().<Future<Object>>race(Future::new));
    }

    /**
     * Returns a future of the value of the task that succeeds first, of those in the group now. If some have succeeded
     * already, it is the one of them that was spawned first. If all fail, the future fails with a
     * {@link CompositeException}. The other tasks go on.
     *
     * @throws AsyncException if the group is empty
     */
    public Future<T> any() {
        return typed(group.queries().<Future<Object>>any(Future::new));
    }

    /**
     * Returns an iterator over the outcomes in the order of settling. {@code hasNext} waits for the next one; it is
     * false when the group is closed, all tasks have settled, and the iterator has returned all outcomes. Errors that
     * it returns count as handled. Each iterator returns all outcomes.
     */
    @Override
    public Iterator<TaskResult<T>> iterator() {
        return new WatchingIterator<>(group, this);
    }

    /**
     * Runs the callback once when the group is closed and all tasks have settled, in a coroutine that belongs to no
     * task, after the coroutines that wait for that. Several callbacks run in one coroutine, in the order of
     * registration. If the group has ended already, the callback runs at once in the caller.
     *
     * @param callback gets the group; may wait
     */
    public void onFinally(Consumer<? super TaskGroup<T>> callback) {
        addFinally(this, TaskGroup::new, callback);
    }

    /** Settings for a {@link TaskGroup}. Belongs to whoever made it. */
    public static final class Builder<T> extends GroupBuilder<T, Builder<T>> {
        private Builder() {}

        @Override
        Builder<T> self() {
            return this;
        }

        /**
         * Creates a group with these settings.
         *
         * @throws AsyncException if there is no runtime here, or the scope has ended
         */
        @Override
        public TaskGroup<T> build() {
            return new TaskGroup<>(name, concurrency, queueLimit, scope);
        }
    }
}
