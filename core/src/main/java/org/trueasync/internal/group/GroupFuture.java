package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.future.FutureCore;

/** A future of something that becomes of a group's tasks, and its place among others of its kind until it is answered or cancelled. */
abstract class GroupFuture extends FutureCore<Object> implements WaitForNode {
    /** What the answer is made of. */
    enum Kind {
        /** The values of all, or all errors. */
        ALL("all of the tasks of "),
        /** The values of all that succeed. */
        RESULTS("all of the tasks of "),
        /** One that has settled. */
        FIRST("the next task of "),
        /** One that has succeeded, or all errors. */
        SUCCESS("the next success of "),
        /** One that has settled, as it is. */
        ENTRY("the next task of ");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    final GroupCore group;
    final Kind kind;
    /** It is about the tasks with a smaller position. */
    final long before;
    /** In the order of asking. */
    long ticket;

    @Nullable
    GroupFuture previous;

    @Nullable
    GroupFuture next;

    /** Where it stands. */
    @Nullable
    GroupFutureList list;

    GroupFuture(GroupCore group, Kind kind, long before) {
        super(group.loop());
        this.group = group;
        this.kind = kind;
        this.before = before;
    }

    @Override
    public final void start() {
        super.start();
        if (!isCompleted()) group.lendSlot();
    }

    final void leaveList() {
        if (list != null) list.remove(this);
    }

    @Override
    protected final void cancelled(AsyncCancellation reason) {
        leaveList();
    }

    @Override
    protected final void disarm() {
        super.disarm();
        if (!isCompleted() && !hasCallbacks()) givenUp();
    }

    /** Nobody waits any more. */
    abstract void givenUp();

    @Override
    public final boolean addProducers(Collection<Coroutine<?>> by) {
        return SettlingCoroutines.addOfAllBefore(group, before, by);
    }

    @Override
    public final String info() {
        return kind.text + group + " (" + super.info() + ")";
    }
}
