package org.trueasync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.group.GroupSettings;

/* What the builders of task groups and task sets have in common. Users see its methods in both. */
abstract sealed class GroupBuilder<T, B extends GroupBuilder<T, B>> permits TaskGroup.Builder, TaskSet.Builder {
    @Nullable
    String name;

    int concurrency;
    int queueLimit = GroupSettings.DEFAULT_QUEUE;

    @Nullable
    Scope scope;

    GroupBuilder() {}

    abstract B self();

    /**
     * Sets the name that {@code toString}, dumps and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     */
    public B name(String name) {
        this.name = Names.readable(name);
        return self();
    }

    /**
     * Sets how many tasks may run at the same time.
     *
     * @param limit >= 0; 0, the default, for no limit
     * @throws IllegalArgumentException if negative
     */
    public B concurrency(int limit) {
        GroupSettings.requireConcurrency(limit);
        concurrency = limit;
        return self();
    }

    /**
     * Sets how many tasks may wait for a slot before {@code spawn} waits as well. Has no effect without a concurrency
     * limit.
     *
     * @param limit >= 0; 0 for no limit; twice the concurrency by default
     * @throws IllegalArgumentException if negative
     */
    public B queueLimit(int limit) {
        GroupSettings.requireQueueLimit(limit);
        queueLimit = limit;
        return self();
    }

    /**
     * Sets the parent scope: the group or set has a scope of its own in it.
     *
     * @param parent used in place of the current scope
     */
    public B scope(Scope parent) {
        scope = Objects.requireNonNull(parent, "scope");
        return self();
    }

    abstract GroupedTasks<T> build();
}
