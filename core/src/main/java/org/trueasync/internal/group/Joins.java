package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.CompositeException;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/**
 * Hands out the outcomes of a set's tasks, each once, in the order of settling, to the callers in the order of their
 * calls. An outcome belongs to the set until it is handed out. A caller that leaves first gets none; an outcome that an
 * iterator was woken with and did not take goes to the next caller.
 */
public final class Joins implements GroupDelivery {
    private final GroupCore group;
    /** The futures that take any outcome. */
    private final GroupFutureList next = new GroupFutureList();
    /** The futures that take a success. */
    private final GroupFutureList success = new GroupFutureList();

    private final GroupFutureList all = new GroupFutureList();
    private long tickets;

    Joins(GroupCore group) {
        this.group = group;
    }

    // ---- joining

    /** Returns a future of the value or error of the next task that settles. */
    public FutureCore<Object> next() {
        return newJoin("joinNext", GroupFuture.Kind.FIRST);
    }

    /** Returns a future of the value of the next task that succeeds, or of all errors if none does. */
    public FutureCore<Object> any() {
        return newJoin("joinAny", GroupFuture.Kind.SUCCESS);
    }

    /**
     * Returns a future of the values of all tasks by key, or of all errors.
     *
     * @param ignoreErrors leaves the errors in the set
     */
    public FutureCore<Object> all(boolean ignoreErrors) {
        return newJoin("joinAll", ignoreErrors ? GroupFuture.Kind.RESULTS : GroupFuture.Kind.ALL);
    }

    private FutureCore<Object> newJoin(String method, GroupFuture.Kind kind) {
        group.requireHere(method);
        var join = new Join(group, this, kind);
        boolean needsTask = kind == GroupFuture.Kind.FIRST || kind == GroupFuture.Kind.SUCCESS;
        if (needsTask && group.size() == 0)
            throw new AsyncException(method + "() of an empty task set would never be answered; spawn a task first");
        answerOrAdd(join);
        return join;
    }

    /** Answers a future, or puts it into its list. */
    void answerOrAdd(GroupFuture join) {
        GroupTask ready =
                switch (join.kind) {
                    case FIRST, ENTRY -> firstReady();
                    case SUCCESS -> group.succeeded.first();
                    default -> null;
                };
        GroupFutureList list = list(join);
        if (ready != null) handOut(ready, join);
        else if (list != next && group.spawnedTasks().settledUpTo() >= join.before) answer(join);
        else if (list == next && group.isOver()) answerEmpty(join);
        else {
            join.ticket = tickets++;
            list.add(join);
        }
    }

    private GroupFutureList list(GroupFuture join) {
        return switch (join.kind) {
            case FIRST, ENTRY -> next;
            case SUCCESS -> success;
            case ALL, RESULTS -> all;
        };
    }

    private @Nullable GroupTask firstReady() {
        GroupTask succeeded = group.succeeded.first();
        GroupTask failed = group.failed.first();
        if (succeeded == null || failed == null) return succeeded == null ? failed : succeeded;
        return succeeded.sequence < failed.sequence ? succeeded : failed;
    }

    // ---- handing out

    @Override
    public void settled(GroupTask task) {
        GroupFuture taker = takerOf(task);
        if (taker != null) {
            taker.leaveList();
            handOut(task, taker);
        }
        long upTo = group.spawnedTasks().settledUpTo();
        answerSettled(success, upTo);
        answerSettled(all, upTo);
    }

    private void answerSettled(GroupFutureList list, long upTo) {
        for (GroupFuture join = list.pollSettled(upTo); join != null; join = list.pollSettled(upTo)) answer(join);
    }

    private @Nullable GroupFuture takerOf(GroupTask task) {
        GroupFuture forAny = next.first();
        GroupFuture forSuccess = task.hasSucceeded() ? success.firstAbout(task.position) : null;
        if (forAny == null || forSuccess == null) return forAny == null ? forSuccess : forAny;
        return forAny.ticket < forSuccess.ticket ? forAny : forSuccess;
    }

    private void handOut(GroupTask task, GroupFuture taker) {
        group.queueOf(task).remove(task);
        task.taken = true;
        if (taker.kind == GroupFuture.Kind.ENTRY) {
            taker.tryComplete(task);
            return;
        }
        if (task.hasSucceeded()) taker.tryComplete(task.value());
        else taker.tryFail(task.failure().error);
        group.deliver(task);
    }

    /** Answers a future about tasks that have all settled. Outcomes that others have taken are missing. */
    private void answer(GroupFuture join) {
        CompositeException errors = join.kind == GroupFuture.Kind.RESULTS ? null : group.errorsBefore(join.before);
        if (errors != null) {
            join.tryFail(errors);
            deliverAll(join.before, group.failed);
        } else if (join.kind == GroupFuture.Kind.SUCCESS) {
            answerEmpty(join);
        } else {
            join.tryComplete(group.resultsBefore(join.before));
            deliverAll(join.before, group.succeeded);
        }
    }

    private void deliverAll(long before, TaskQueue queue) {
        GroupTask after;
        for (GroupTask t = queue.first(); t != null; t = after) {
            after = t.nextInQueue;
            if (t.position >= before) continue;
            queue.remove(t);
            t.taken = true;
            group.deliver(t);
        }
    }

    /** Answers a future for which no outcome is left and none will come. */
    private void answerEmpty(GroupFuture join) {
        if (join.kind == GroupFuture.Kind.ENTRY) join.tryComplete(null);
        else join.tryFail(new AsyncException("nothing is left to join: others have taken it, of " + group));
    }

    @Override
    public void over() {
        for (GroupFuture join = next.first(); join != null; join = next.first()) {
            next.remove(join);
            answerEmpty(join);
        }
    }

    @Override
    public boolean awaitsErrorOf(GroupTask task) {
        return all.awaitsErrorAt(task.position);
    }

    // ---- iterating

    /** Takes the next outcome for the caller; waits for it. Returns null if none is left and none will come. */
    @Nullable
    GroupTask take() {
        group.requireHere("iterator");
        boolean othersTurn = group.loop().isOthersTurn();
        GroupTask ready = firstReady();
        if (ready != null) {
            group.queueOf(ready).remove(ready);
            ready.taken = true;
            if (othersTurn) group.loop().giveWay();
            return ready;
        }
        if (group.isOver()) return null;
        CoroutineImpl<?> self = Runtimes.currentCoroutine("TaskSet.iterator");
        var wait = new Join(group, this, GroupFuture.Kind.ENTRY);
        wait.markCaught();
        try {
            self.newWait();
            self.resumeWhen(wait, ResumeCallback.RESOLVE);
            return (GroupTask) self.awaitEvents();
        } catch (Throwable e) {
            giveBack(wait);
            throw e;
        }
    }

    /** Gives back the outcome that a leaving caller was woken with. */
    private void giveBack(Join wait) {
        wait.leaveList();
        if (!wait.isCompleted() || wait.join() == null) return;
        var task = (GroupTask) wait.join();
        task.taken = false;
        group.queueOf(task).putBack(task);
        GroupFuture taker = takerOf(task);
        if (taker == null) return;
        taker.leaveList();
        handOut(task, taker);
    }
}
