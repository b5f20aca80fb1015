package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;

/** A queue of tasks, which are its links: those that wait for a slot, or those that have settled, in that order. A task is in one queue at a time. */
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
        for (GroupTask t = first; t != null && t.sequence < task.sequence; t = t.nextInLine) before = t;
        insertAfter(before, task);
    }

    private void insertAfter(@Nullable GroupTask before, GroupTask task) {
        GroupTask after = before == null ? first : before.nextInLine;
        task.previousInLine = before;
        task.nextInLine = after;
        if (before == null) first = task;
        else before.nextInLine = task;
        if (after == null) last = task;
        else after.previousInLine = task;
        size++;
    }

    void remove(GroupTask task) {
        if (task.previousInLine == null) first = task.nextInLine;
        else task.previousInLine.nextInLine = task.nextInLine;
        if (task.nextInLine == null) last = task.previousInLine;
        else task.nextInLine.previousInLine = task.previousInLine;
        task.previousInLine = null;
        task.nextInLine = null;
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
