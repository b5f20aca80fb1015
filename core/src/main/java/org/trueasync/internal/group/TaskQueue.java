package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks, linked by fields of the tasks: those that wait for a slot, in the order of spawning, or those that
 * have settled, in the order of settling. A task is in one queue at a time.
 */
final class TaskQueue {
    private @Nullable GroupTask first;
    private @Nullable GroupTask last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    @Nullable
    GroupTask first() {
        return first;
    }

    void add(GroupTask task) {
        insertAfter(last, task);
    }

    /** Puts a settled task back into its place in the order of settling. */
    void putBack(GroupTask task) {
        GroupTask before = null;
        for (GroupTask t = first; t != null && t.sequence < task.sequence; t = t.nextInQueue) before = t;
        insertAfter(before, task);
    }

    private void insertAfter(@Nullable GroupTask before, GroupTask task) {
        GroupTask after = before == null ? first : before.nextInQueue;
        task.previousInQueue = before;
        task.nextInQueue = after;
        if (before == null) first = task;
        else before.nextInQueue = task;
        if (after == null) last = task;
        else after.previousInQueue = task;
        size++;
    }

    void remove(GroupTask task) {
        if (task.previousInQueue == null) first = task.nextInQueue;
        else task.previousInQueue.nextInQueue = task.nextInQueue;
        if (task.nextInQueue == null) last = task.previousInQueue;
        else task.nextInQueue.previousInQueue = task.previousInQueue;
        task.previousInQueue = null;
        task.nextInQueue = null;
        size--;
    }

    /** Removes and returns the first task; null if there is none. */
    @Nullable
    GroupTask poll() {
        GroupTask head = first;
        if (head != null) remove(head);
        return head;
    }
}
