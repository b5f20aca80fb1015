package org.trueasync.internal.group;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.CompositeException;
import org.trueasync.internal.future.FutureCore;

/**
 * Answers queries about the tasks of a group, each any number of times: the outcomes of all, the first that settled,
 * the first that succeeded. A query is about the tasks that are there when it is made. If some of them have settled
 * already, the one with the smallest position answers at once; so once all have settled, the answer is the same each
 * time.
 *
 * <p>A task that settles visits the queries that it answers, and one more in each list.
 */
public final class OutcomeQueries implements GroupDelivery {
    private final GroupCore group;
    private final GroupFutureList all = new GroupFutureList();
    private final GroupFutureList race = new GroupFutureList();
    private final GroupFutureList any = new GroupFutureList();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    /** The settled task with the smallest position so far. */
    private @Nullable GroupTask firstSettled;

    private @Nullable GroupTask firstSucceeded;

    OutcomeQueries(GroupCore group) {
        this.group = group;
    }

    // ---- making queries

    /**
     * Queries the values of all tasks by key, or all errors.
     *
     * @param ignoreErrors leaves the errors out
     * @param handle makes the user's handle
     */
    public <H> H all(boolean ignoreErrors, Function<? super FutureCore<Object>, H> handle) {
        group.requireHere("all");
        return newQuery(all, ignoreErrors ? GroupFuture.Kind.RESULTS : GroupFuture.Kind.ALL, null, handle);
    }

    /**
     * Queries the value or error of a task that has settled, or else of the next one.
     *
     * @param handle makes the user's handle
     */
    public <H> H race(Function<? super FutureCore<Object>, H> handle) {
        requireTasks("race");
        return newQuery(race, GroupFuture.Kind.FIRST, firstSettled, handle);
    }

    /**
     * Queries the value of a task that has succeeded, or else of the next one that does; all errors if none does.
     *
     * @param handle makes the user's handle
     */
    public <H> H any(Function<? super FutureCore<Object>, H> handle) {
        requireTasks("any");
        return newQuery(any, GroupFuture.Kind.SUCCESS, firstSucceeded, handle);
    }

    private void requireTasks(String method) {
        group.requireHere(method);
        if (group.size() == 0)
            throw new AsyncException(method + "() of an empty task group would never be answered; spawn a task first");
    }

    private <H> H newQuery(
            GroupFutureList list,
            GroupFuture.Kind kind,
            @Nullable GroupTask known,
            Function<? super FutureCore<Object>, H> handle) {
        forgetGone();
        var query = new OutcomeQuery(group, this, kind);
        if (known != null) answer(query, known);
        else if (group.spawnedTasks().settledUpTo() >= query.before) answer(query);
        else list.add(query);
        return query.handle(handle);
    }

    // ---- unreachable handles

    private static final class Watch extends WeakReference<Object> {
        final OutcomeQuery query;

        Watch(Object handle, ReferenceQueue<Object> gone, OutcomeQuery query) {
            super(handle, gone);
            this.query = query;
        }
    }

    Object watch(Object handle, OutcomeQuery query) {
        return new Watch(handle, gone, query);
    }

    private void forgetGone() {
        for (Reference<?> watch = gone.poll(); watch != null; watch = gone.poll()) ((Watch) watch).query.handleGone();
    }

    // ---- answering

    @Override
    public void settled(GroupTask task) {
        long position = task.position;
        if (firstSettled == null || position < firstSettled.position) firstSettled = task;
        if (!race.isEmpty()) for (GroupFuture query : race.pollAbout(position)) answer(query, task);
        if (task.hasSucceeded()) {
            if (firstSucceeded == null || position < firstSucceeded.position) firstSucceeded = task;
            if (!any.isEmpty()) for (GroupFuture query : any.pollAbout(position)) answer(query, task);
        }
        long upTo = group.spawnedTasks().settledUpTo();
        answerSettled(all, upTo);
        answerSettled(any, upTo);
    }

    private void answerSettled(GroupFutureList list, long upTo) {
        for (GroupFuture query = list.pollSettled(upTo); query != null; query = list.pollSettled(upTo)) answer(query);
    }

    @Override
    public void over() {}

    @Override
    public boolean awaitsErrorOf(GroupTask task) {
        return all.awaitsErrorAt(task.position);
    }

    private void answer(GroupFuture query, GroupTask task) {
        if (task.hasSucceeded()) query.tryComplete(task.value());
        else if (query.tryFail(task.failure().error)) group.errors().handled(task.failure());
    }

    /** Answers a query about tasks that have all settled. */
    private void answer(GroupFuture query) {
        CompositeException errors = query.kind == GroupFuture.Kind.RESULTS ? null : group.errorsBefore(query.before);
        if (errors == null) {
            query.tryComplete(group.resultsBefore(query.before));
        } else if (query.tryFail(errors)) {
            for (GroupTask t = group.spawnedTasks().first(); t != null && t.position < query.before; t = t.next)
                if (t.state == GroupTask.FAILED) group.errors().handled(t.failure());
        }
    }
}
