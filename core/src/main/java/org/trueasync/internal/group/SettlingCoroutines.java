package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;

/** Who must run for tasks of a group to settle: those that do them, and where tasks are queued also those whose end gives them a slot. See {@link WaitForNode}. */
final class SettlingCoroutines {
    /** More are not reasoned about. */
    private static final int MOST = 1_000;

    private SettlingCoroutines() {}

    /**
     * Those of one task.
     *
     * @param by where they go
     * @return false if nothing is to be concluded
     */
    static boolean addOf(GroupTask task, Collection<Coroutine<?>> by) {
        if (task.state == GroupTask.RUNNING) return by.add(task.coroutine());
        return task.state == GroupTask.PENDING && addOfQueue(task.group, by);
    }

    /**
     * Those of the tasks up to a position.
     *
     * @param by where they go
     * @return false if nothing is to be concluded; so also if a task that somebody adds would do
     */
    static boolean addOfAllBefore(GroupCore group, long position, Collection<Coroutine<?>> by) {
        if (position > group.roll().nextPosition() && group.hasFreeSlot()) return false;
        boolean queued = false;
        boolean known = false;
        int seen = 0;
        for (GroupTask t = group.roll().firstOpen(); t != null && t.position < position; t = t.next) {
            if (++seen > MOST) return false;
            if (t.state == GroupTask.RUNNING) known |= by.add(t.coroutine());
            queued |= t.state == GroupTask.PENDING;
        }
        return queued ? addOfQueue(group, by) : known;
    }

    /** A slot comes from a task that has one. */
    private static boolean addOfQueue(GroupCore group, Collection<Coroutine<?>> by) {
        boolean known = false;
        int seen = 0;
        for (@Nullable GroupTask t = group.roll().firstOpen(); t != null; t = t.next) {
            if (++seen > MOST) return false;
            if (t.state == GroupTask.RUNNING && !t.lendsSlot) known |= by.add(t.coroutine());
        }
        return known;
    }
}
