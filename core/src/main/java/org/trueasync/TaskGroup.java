package org.trueasync;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupCore;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.group.WatchingIterator;

/**
 * Tasks that belong together, in a scope of their own: so many at the same time as it may, each with a key, their outcomes kept until the group goes. Ask for
 * {@link #all}, {@link #race} or {@link #any} of them, or iterate: outcomes come as tasks settle. What a set of tasks hands out once is a
 * {@link TaskSet}.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="group" :
 * var group = new TaskGroup<String>(3);
 * for (String url : urls) group.spawnWithKey(url, () -> fetch(url));
 * Map<Object, String> pages = group.all().await();
 * }
 *
 * <p>With a concurrency limit the tasks beyond it wait without a coroutine, first come, first served; {@link #spawn} waits while the queue is full. A task that
 * waits for others of its own group, by a handle, a future of the group or an iterator, does not count against the limit meanwhile; where it gives that wait up, one
 * more than the
 * limit may run until the next task ends.
 *
 * <p>An error of a task is kept by the group: the scope around it is not touched. It counts as handled once somebody gets it: from {@link #errors}, by iterating, or
 * from one of the futures; what nobody has got when the group is unreachable or the run ends is reported to the scope, once.
 *
 * <p>Loop thread only, except {@code builder} and {@code size}.
 *
 * @param <T> type of the values
 */
public final class TaskGroup<T> extends GroupedTasks<T> {
    /**
     * A group without a limit, in the current scope.
     *
     * @throws AsyncException if there is no runtime here, or the scope has ended
     */
    public TaskGroup() {
        this(0);
    }

    /**
     * A group in the current scope. Twice as many tasks as run may wait.
     *
     * @param concurrency how many tasks run at the same time; >= 0; 0 for no limit
     * @throws IllegalArgumentException if negative
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

    /** A group with more than a concurrency to say about it. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    /**
     * The values of the tasks that are here now, by key, in the order of spawning, once all have settled. If any fails, the future fails with a
     * {@link CompositeException} of all errors in that order. Without tasks the map is empty, at once.
     */
    public Future<Map<Object, T>> all() {
        return all(false);
    }

    /**
     * As {@link #all()}; a choice to leave out the tasks that fail. Their errors are not handled by that: see {@link #errors} and {@link #suppressErrors}.
     *
     * @param ignoreErrors true for the values of those that succeed
     */
    public Future<Map<Object, T>> all(boolean ignoreErrors) {
        return typed(group.questions().<Future<Object>>all(ignoreErrors, Future::new));
    }

    /**
     * The value or error of the first of the tasks that are here now to settle. If some have settled already, of the one that was spawned first. The others
     * go on.
     *
     * @throws AsyncException if the group is empty
     */
    public Future<T> race() {
        return typed(group.questions().<Future<Object>>race(Future::new));
    }

    /**
     * The value of the first of the tasks that are here now to succeed. If some have succeeded already, of the one that was spawned first. If all fail, the future
     * fails with a {@link CompositeException}. The others go on.
     *
     * @throws AsyncException if the group is empty
     */
    public Future<T> any() {
        return typed(group.questions().<Future<Object>>any(Future::new));
    }

    /**
     * The outcomes in the order of settling; {@code hasNext} waits for the next one, and is false when the group is closed and all have been seen. Errors that
     * are seen are handled. Each iterator sees all outcomes.
     */
    @Override
    public Iterator<TaskResult<T>> iterator() {
        return new WatchingIterator<>(group, this);
    }

    /**
     * Runs the callback once when the group is closed and all tasks have settled, in a coroutine of its own, after those who wait for that; at once and in the caller if
     * that is so already. Several run in the order of registration.
     *
     * @param callback gets the group; may wait
     */
    public void onFinally(Consumer<? super TaskGroup<T>> callback) {
        whenOver(this, TaskGroup::new, callback);
    }

    /** How many tasks there have been, whatever has become of them. */
    @Override
    public int size() {
        return group.size();
    }

    /** Settings for a {@link TaskGroup}. Belongs to whoever made it. */
    public static final class Builder<T> extends GroupBuilder<T, Builder<T>> {
        private Builder() {}

        @Override
        Builder<T> self() {
            return this;
        }

        /**
         * A new group.
         *
         * @throws AsyncException if there is no runtime here, or the scope has ended
         */
        @Override
        public TaskGroup<T> build() {
            return new TaskGroup<>(name, concurrency, queueLimit, scope);
        }
    }
}
