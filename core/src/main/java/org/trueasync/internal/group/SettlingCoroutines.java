package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;

/**
 * The coroutines that must run for tasks of a group to settle: the tasks' own ones, and where tasks are queued also
 * those whose end gives them a slot. See {@link WaitForNode}.
 */
final class SettlingCoroutines {
    /** The largest number of tasks that is looked at. */
    private static final int MAX_TASKS = 1_000;

    private SettlingCoroutines() {}

    /**
     * Adds the coroutines that must run for one task to settle.
     *
     * @param by receives the coroutines
     * @return false if nothing can be concluded
     */
    static boolean addOf(GroupTask task, Collection<Coroutine<?>> by) {
        if (task.state == GroupTask.RUNNING) return by.add(task.coroutine());
        return task.state == GroupTask.PENDING && addOfQueue(task.group, by);
    }

    /**
     * Adds the coroutines that must run for the tasks before a position to settle.
     *
     * @param by receives the coroutines
     * @return false if nothing can be concluded; also if a new task could settle and be enough
     */
    static boolean addOfAllBefore(GroupCore group, long position, Collection<Coroutine<?>> by) {
        if (position > group.spawnedTasks().nextPosition() && group.hasFreeSlot()) return false;
        boolean queued = false;
        boolean known = false;
        int seen = 0;
        for (GroupTask t = group.spawnedTasks().firstOpen(); t != null && t.position < position; t = t.next) {
            if (++seen > MAX_TASKS) return false;
            if (t.state == GroupTask.RUNNING) known |= by.add(t.coroutine());
            queued |= t.state == GroupTask.PENDING;
        }
        return queued ? addOfQueue(group, by) : known;
    }

    /**
     * See {@link WaitForNode#needs}, for the settling of all tasks before a position.
     *
     * @param sought asked for
     */
    static @Nullable Coroutine<?> neededForAllBefore(GroupCore group, long position, Coroutine<?> sought) {
        boolean isInside = group.ownsDirectly(sought);
        GroupTask only = null;
        int seen = 0;
        for (GroupTask t = group.spawnedTasks().firstOpen(); t != null && t.position < position; t = t.next) {
            if (++seen > MAX_TASKS) return null;
            if (t.isSettled()) continue;
            if (t.state == GroupTask.RUNNING && t.coroutine() == sought) return sought;
            if (only != null && !isInside) return null;
            only = only == null ? t : only;
        }
        return seen == 1 && only != null && only.state == GroupTask.RUNNING ? only.coroutine() : null;
    }

    /** Adds the coroutines of tasks with a slot: a queued task gets its slot from one of them. */
    private static boolean addOfQueue(GroupCore group, Collection<Coroutine<?>> by) {
        boolean known = false;
        int seen = 0;
        for (@Nullable GroupTask t = group.spawnedTasks().firstOpen(); t != null; t = t.next) {
            if (++seen > MAX_TASKS) return false;
            if (t.state == GroupTask.RUNNING && !t.lendsSlot) known |= by.add(t.coroutine());
        }
        return known;
    }
}
