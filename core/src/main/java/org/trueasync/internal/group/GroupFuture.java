package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.future.FutureCore;

/** A future about outcomes of a group's tasks. It is in a list of such futures until it is answered or cancelled. */
abstract class GroupFuture extends FutureCore<Object> implements WaitForNode {
    /** The kind of the future's value. */
    enum Kind {
        /** The values of all tasks, or all errors. */
        ALL("all of the tasks of "),
        /** The values of all tasks that succeed. */
        RESULTS("all of the tasks of "),
        /** The outcome of one task that has settled. */
        FIRST("the next task of "),
        /** The value of one task that has succeeded, or all errors. */
        SUCCESS("the next success of "),
        /** One settled {@link GroupTask} itself. */
        ENTRY("the next task of ");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    final GroupCore group;
    final Kind kind;
    /** The future is about the tasks with a position smaller than this. */
    final long before;
    /** A number in the order of the calls. */
    long ticket;

    @Nullable
    GroupFuture previous;

    @Nullable
    GroupFuture next;

    /** The list that it is in. */
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

    @Override
    public void isReachableAgain() {
        group.isReachableAgain();
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
        if (!isCompleted() && !hasCallbacks()) abandoned();
    }

    /** Called when its last waiter has left and it is not completed. */
    abstract void abandoned();

    @Override
    public final boolean addProducers(Collection<Coroutine<?>> by) {
        return SettlingCoroutines.addOfAllBefore(group, before, by);
    }

    @Override
    public final @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        boolean ofAll = kind == Kind.ALL || kind == Kind.RESULTS;
        return ofAll && !isCompleted() ? SettlingCoroutines.neededForAllBefore(group, before, sought) : null;
    }

    @Override
    public final String info() {
        return kind.text + group + " (" + super.info() + ")";
    }
}
