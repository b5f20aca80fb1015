package org.trueasync.internal.group;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.TaskResult;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/** Iterates over the outcomes of a group as tasks settle, and takes none of them: other iterators get them too. */
public final class WatchingIterator<T> implements Iterator<TaskResult<T>> {
    private final GroupCore group;
    /** The user's handle, which must stay reachable while this iterator is. */
    @SuppressWarnings("unused")
    private final Object handle;
    /** The last success that was returned; nothing is ever removed from a group's queues. */
    private @Nullable GroupTask lastSucceeded;

    private @Nullable GroupTask lastFailed;

    /**
     * Creates an iterator that begins at the first outcome.
     *
     * @param group a group
     * @param handle its handle
     */
    public WatchingIterator(GroupCore group, Object handle) {
        this.group = group;
        this.handle = handle;
    }

    private @Nullable GroupTask ready() {
        GroupTask nextSucceeded = lastSucceeded == null ? group.succeeded.first() : lastSucceeded.nextInQueue;
        GroupTask nextFailed = lastFailed == null ? group.failed.first() : lastFailed.nextInQueue;
        if (nextSucceeded == null || nextFailed == null) return nextSucceeded == null ? nextFailed : nextSucceeded;
        return nextSucceeded.sequence < nextFailed.sequence ? nextSucceeded : nextFailed;
    }

    @Override
    public boolean hasNext() {
        group.requireHere("iterator");
        group.loop().shareLoop();
        while (ready() == null) {
            if (group.isOver()) return false;
            CoroutineImpl<?> self = Runtimes.currentCoroutine("TaskGroup.iterator");
            self.newWait();
            self.resumeWhen(group.progress, ResumeCallback.RESOLVE);
            self.awaitEvents();
        }
        return true;
    }

    @Override
    public TaskResult<T> next() {
        if (!hasNext()) throw new NoSuchElementException("no task is left in " + group);
        GroupTask task = java.util.Objects.requireNonNull(ready());
        if (task.hasSucceeded()) {
            lastSucceeded = task;
        } else {
            lastFailed = task;
            group.errors().handled(task.failure());
        }
        return task.result();
    }
}
