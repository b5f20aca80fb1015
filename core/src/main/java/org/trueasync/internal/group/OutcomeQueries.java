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
 * Answers questions about the tasks of a group, each any number of times: the outcomes of all, the first that settled, the first that succeeded. A
 * question is about the tasks that are there when it is asked. If some of them have settled already, the one with the smallest position answers at
 * once; so once all have settled, the answer is the same each time.
 *
 * <p>A task that settles looks at the questions that it answers, and at one more in each list.
 */
public final class OutcomeQueries implements Delivery {
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

    // ---- asking

    /**
     * Asks for the values of all tasks by key, or for all errors.
     *
     * @param ignoreErrors leaves the errors out
     * @param handle makes the user's handle
     */
    public <H> H all(boolean ignoreErrors, Function<? super FutureCore<Object>, H> handle) {
        group.requireHere("all");
        return asked(all, ignoreErrors ? GroupFuture.Kind.RESULTS : GroupFuture.Kind.ALL, null, handle);
    }

    /**
     * Asks for the value or error of a task that has settled, or else of the next one.
     *
     * @param handle makes the user's handle
     */
    public <H> H race(Function<? super FutureCore<Object>, H> handle) {
        requireTasks("race");
        return asked(race, GroupFuture.Kind.FIRST, firstSettled, handle);
    }

    /**
     * Asks for the value of a task that has succeeded, or else of the next one; for all errors if none does.
     *
     * @param handle makes the user's handle
     */
    public <H> H any(Function<? super FutureCore<Object>, H> handle) {
        requireTasks("any");
        return asked(any, GroupFuture.Kind.SUCCESS, firstSucceeded, handle);
    }

    private void requireTasks(String method) {
        group.requireHere(method);
        if (group.size() == 0)
            throw new AsyncException(method + "() of an empty task group would never be answered; spawn a task first");
    }

    private <H> H asked(
            GroupFutureList list,
            GroupFuture.Kind kind,
            @Nullable GroupTask known,
            Function<? super FutureCore<Object>, H> handle) {
        forgetGone();
        var question = new OutcomeQuery(group, this, kind);
        if (known != null) answer(question, known);
        else if (group.roll().settledUpTo() >= question.before) answer(question);
        else list.add(question);
        return question.handle(handle);
    }

    // ---- unreachable handles

    private static final class Watch extends WeakReference<Object> {
        final OutcomeQuery question;

        Watch(Object handle, ReferenceQueue<Object> gone, OutcomeQuery question) {
            super(handle, gone);
            this.question = question;
        }
    }

    Object watch(Object handle, OutcomeQuery question) {
        return new Watch(handle, gone, question);
    }

    private void forgetGone() {
        for (Reference<?> watch = gone.poll(); watch != null; watch = gone.poll())
            ((Watch) watch).question.handleGone();
    }

    // ---- answering

    @Override
    public void settled(GroupTask task) {
        long position = task.position;
        if (firstSettled == null || position < firstSettled.position) firstSettled = task;
        if (!race.isEmpty()) for (GroupFuture asked : race.pollAbout(position)) answer(asked, task);
        if (task.hasSucceeded()) {
            if (firstSucceeded == null || position < firstSucceeded.position) firstSucceeded = task;
            if (!any.isEmpty()) for (GroupFuture asked : any.pollAbout(position)) answer(asked, task);
        }
        long upTo = group.roll().settledUpTo();
        answerSettled(all, upTo);
        answerSettled(any, upTo);
    }

    private void answerSettled(GroupFutureList list, long upTo) {
        for (GroupFuture asked = list.pollSettled(upTo); asked != null; asked = list.pollSettled(upTo)) answer(asked);
    }

    @Override
    public void over() {}

    private void answer(GroupFuture asked, GroupTask task) {
        if (task.hasSucceeded()) asked.tryComplete(task.value());
        else if (asked.tryFail(task.failure().error)) group.errors().handled(task.failure());
    }

    /** Answers a question about tasks that have all settled. */
    private void answer(GroupFuture asked) {
        CompositeException errors = asked.kind == GroupFuture.Kind.RESULTS ? null : group.errorsBefore(asked.before);
        if (errors == null) {
            asked.tryComplete(group.resultsBefore(asked.before));
        } else if (asked.tryFail(errors)) {
            for (GroupTask t = group.roll().first(); t != null && t.position < asked.before; t = t.next)
                if (t.state == GroupTask.FAILED) group.errors().handled(t.failure());
        }
    }
}
