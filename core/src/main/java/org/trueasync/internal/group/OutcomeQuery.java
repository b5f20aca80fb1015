package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.future.FutureCore;

/**
 * A question about a group. When a wait for it was given up, it stays in its list as long as its handle can be used, and no longer: a loop that asks again and again with a
 * timeout leaves nothing behind.
 */
final class OutcomeQuery extends GroupFuture {
    private final OutcomeQueries questions;
    private @Nullable WeakReference<Object> handle;
    private boolean givenUp;
    /** Keeps the reference alive that tells of the handle's end. */
    private @Nullable Object watch;

    OutcomeQuery(GroupCore group, OutcomeQueries questions, Kind kind) {
        super(group, kind, group.roll().nextPosition());
        this.questions = questions;
    }

    /** What the user gets. */
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

    /** The handle is gone; whoever waits now did not need it. */
    void handleGone() {
        if (givenUp) leaveList();
    }
}
