package org.trueasync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.group.GroupSettings;
import org.trueasync.internal.site.Names;

/* What the builders of groups and sets of tasks have in common: users see it as a part of either. */
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
     * What {@code toString}, dumps and reports call it.
     *
     * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
     */
    public B name(String name) {
        this.name = Names.readable(name);
        return self();
    }

    /**
     * How many tasks run at the same time.
     *
     * @param limit >= 0; 0, the default, for no limit
     */
    public B concurrency(int limit) {
        GroupSettings.requireConcurrency(limit);
        concurrency = limit;
        return self();
    }

    /**
     * How many tasks wait for a slot before {@code spawn} waits as well; of no consequence without a concurrency limit.
     *
     * @param limit >= 0; 0 for no limit; twice the concurrency by default
     */
    public B queueLimit(int limit) {
        GroupSettings.requireQueueLimit(limit);
        queueLimit = limit;
        return self();
    }

    /**
     * The scope to work in: what is built has a scope of its own inside.
     *
     * @param parent in place of the current scope
     */
    public B scope(Scope parent) {
        scope = Objects.requireNonNull(parent, "scope");
        return self();
    }

    /** A new group or set with these settings; the builder can be used again. */
    public abstract GroupedTasks<T> build();
}
