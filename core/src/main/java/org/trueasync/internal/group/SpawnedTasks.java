package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;

/** The tasks of a group in the order of spawning, and how far they have settled. Those that have been handed out are not there any more. */
final class SpawnedTasks {
    private @Nullable GroupTask first;
    private @Nullable GroupTask last;
    /** The first one that has not settled; all before it have. */
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

    /** The first one that has not settled, or null. */
    @Nullable
    GroupTask firstOpen() {
        return open;
    }

    /** Adds one that has been made with the next position. */
    void add(GroupTask task) {
        nextPosition++;
        size++;
        task.previous = last;
        if (last == null) first = task;
        else last.next = task;
        last = task;
        if (open == null) open = task;
    }

    /** Takes out one that has settled. */
    void remove(GroupTask task) {
        size--;
        if (task.previous == null) first = task.next;
        else task.previous.next = task.next;
        if (task.next == null) last = task.previous;
        else task.next.previous = task.previous;
        task.previous = null;
        task.next = null;
    }

    /** One has settled. Called before it can be taken out. */
    void settled() {
        while (open != null && open.isSettled()) open = open.next;
    }

    /** All tasks with a smaller position have settled. */
    long settledUpTo() {
        return open == null ? nextPosition : open.position;
    }
}
