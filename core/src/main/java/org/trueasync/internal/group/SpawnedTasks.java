package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;

/**
 * The tasks of a group in the order of spawning, and how far they have settled. Tasks that have been handed out are
 * removed.
 */
final class SpawnedTasks {
    private @Nullable GroupTask first;
    private @Nullable GroupTask last;
    /** The first task that has not settled; all before it have. */
    private @Nullable GroupTask open;

    private long nextPosition;
    private int size;

    long nextPosition() {
        return nextPosition;
    }

    int size() {
        return size;
    }

    @Nullable
    GroupTask first() {
        return first;
    }

    @Nullable
    GroupTask firstOpen() {
        return open;
    }

    /** Adds a task that was made with the next position. */
    void add(GroupTask task) {
        nextPosition++;
        size++;
        task.previous = last;
        if (last == null) first = task;
        else last.next = task;
        last = task;
        if (open == null) open = task;
    }

    void remove(GroupTask task) {
        size--;
        if (task.previous == null) first = task.next;
        else task.previous.next = task.next;
        if (task.next == null) last = task.previous;
        else task.next.previous = task.previous;
        task.previous = null;
        task.next = null;
    }

    /** Called when a task has settled, before it may be removed. */
    void settled() {
        while (open != null && open.isSettled()) open = open.next;
    }

    /** Returns a position; all tasks with a smaller one have settled. */
    long settledUpTo() {
        return open == null ? nextPosition : open.position;
    }
}
