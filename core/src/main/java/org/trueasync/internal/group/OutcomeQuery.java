package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.future.FutureCore;

/**
 * A query about a group. When a wait for it was abandoned, it stays in its list only while its handle is reachable. So
 * a loop that asks again and again with a time-out leaves nothing behind.
 */
final class OutcomeQuery extends GroupFuture {
    private final OutcomeQueries queries;
    private @Nullable WeakReference<Object> handle;
    private boolean abandoned;
    /** The reference by which the end of the handle is noticed; it must stay reachable. */
    private @Nullable Object watch;

    OutcomeQuery(GroupCore group, OutcomeQueries queries, Kind kind) {
        super(group, kind, group.spawnedTasks().nextPosition());
        this.queries = queries;
    }

    <H> H handle(Function<? super FutureCore<Object>, H> maker) {
        H made = maker.apply(this);
        if (!isCompleted()) handle = new WeakReference<>(made);
        return made;
    }

    @Override
    protected void arm() {
        super.arm();
        abandoned = false;
    }

    @Override
    void abandoned() {
        abandoned = true;
        Object held = handle == null ? null : handle.get();
        if (held == null) leaveList();
        else if (watch == null) watch = queries.watch(held, this);
    }

    /** Leaves the list when the handle is unreachable, unless somebody waits. */
    void handleGone() {
        if (abandoned) leaveList();
    }
}
