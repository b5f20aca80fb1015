package org.trueasync.internal.group;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.TaskResult;

/** Takes the outcomes of a set one by one, as tasks settle. */
public final class TakingIterator<T> implements Iterator<TaskResult<T>> {
    private final GroupCore group;
    /** What must stay reachable meanwhile. */
    @SuppressWarnings("unused")
    private final Object handle;
    /** Set aside for this iterator, and still in the set. */
    private @Nullable GroupTask taken;

    /**
     * At the next outcome.
     *
     * @param group a set
     * @param handle of it
     */
    public TakingIterator(GroupCore group, Object handle) {
        this.group = group;
        this.handle = handle;
    }

    @Override
    public boolean hasNext() {
        if (taken == null) taken = group.joins().take();
        return taken != null;
    }

    @Override
    public TaskResult<T> next() {
        if (!hasNext()) throw new NoSuchElementException("no task is left in " + group);
        GroupTask task = java.util.Objects.requireNonNull(taken);
        taken = null;
        group.deliver(task);
        return task.result();
    }
}
