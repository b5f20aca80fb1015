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
    private @Nullable GroupTask good;

    private @Nullable GroupTask bad;

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
        GroupTask nextGood = good == null ? group.succeeded.first() : good.nextInLine;
        GroupTask nextBad = bad == null ? group.failed.first() : bad.nextInLine;
        if (nextGood == null || nextBad == null) return nextGood == null ? nextBad : nextGood;
        return nextGood.sequence < nextBad.sequence ? nextGood : nextBad;
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
            good = task;
        } else {
            bad = task;
            group.errors().handled(task.failure());
        }
        return task.result();
    }
}
