package org.trueasync.internal.group;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.TaskResult;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/** Looks at the outcomes of a group one by one, as tasks settle; others may do the same. */
public final class WatchingIterator<T> implements Iterator<TaskResult<T>> {
    private final GroupCore group;
    /** What must stay reachable meanwhile. */
    @SuppressWarnings("unused")
    private final Object handle;
    /** The last ones that were shown; nothing is ever taken out of a group's lines. */
    private @Nullable GroupTask good;

    private @Nullable GroupTask bad;

    /**
     * Before the first outcome.
     *
     * @param group any
     * @param handle of it
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
