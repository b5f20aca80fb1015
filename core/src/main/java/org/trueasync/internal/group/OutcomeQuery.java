package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.future.FutureCore;

/**
 * A question about a group. When a wait for it was given up, it stays in its list only while its handle is reachable. So a loop that asks again and
 * again with a time-out leaves nothing behind.
 */
final class OutcomeQuery extends GroupFuture {
    private final OutcomeQueries questions;
    private @Nullable WeakReference<Object> handle;
    private boolean givenUp;
    /** The reference that tells of the handle's end, which must stay reachable. */
    private @Nullable Object watch;

    OutcomeQuery(GroupCore group, OutcomeQueries questions, Kind kind) {
        super(group, kind, group.roll().nextPosition());
        this.questions = questions;
    }

    <H> H handle(Function<? super FutureCore<Object>, H> maker) {
        H made = maker.apply(this);
        if (!isCompleted()) handle = new WeakReference<>(made);
        return made;
    }

    @Override
    protected void arm() {
        super.arm();
        givenUp = false;
    }

    @Override
    void givenUp() {
        givenUp = true;
        Object held = handle == null ? null : handle.get();
        if (held == null) leaveList();
        else if (watch == null) watch = questions.watch(held, this);
    }

    /** Leaves the list when the handle is unreachable, unless somebody waits. */
    void handleGone() {
        if (givenUp) leaveList();
    }
}
