package org.trueasync.internal.group;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.TaskResult;

/** Takes the outcomes of a set one by one, as tasks settle. */
public final class TakingIterator<T> implements Iterator<TaskResult<T>> {
    private final GroupCore group;
    /** The user's handle, which must stay reachable while this iterator is. */
    @SuppressWarnings("unused")
    private final Object handle;
    /** The outcome that is reserved for this iterator, and not yet handed out. */
    private @Nullable GroupTask taken;

    /**
     * Creates an iterator that begins at the next outcome.
     *
     * @param group a set
     * @param handle its handle
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
