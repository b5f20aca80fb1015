package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;

/**
 * The errors of a group that nobody has asked for. They are kept for a later call. When no call can come any more,
 * because the handle is unreachable and the last task has settled, or because the run ends, they are reported to the
 * group's scope, once and together.
 */
final class GroupErrors implements Runnable {
    private final GroupCore group;
    private final Loop loop;
    private int unhandled;
    private boolean suppressed;
    /** True once the handle is unreachable. */
    private boolean handleLost;
    /** True while handlers of the end run, which may ask for errors. */
    private boolean reportsHeld;

    GroupErrors(GroupCore group) {
        this.group = group;
        this.loop = group.loop();
    }

    // ---- counting

    void happened(GroupTask task) {
        GroupTask.Failure failure = task.failure();
        if (suppressed) failure.coroutine = null;
        CoroutineImpl<?> failed = failure.coroutine;
        if (failed == null) return;
        if (unhandled++ == 0) loop.addLateReport(this);
        var weak = new WeakReference<>(task); // the report is to keep no group
        loop.reportSoon(failed, failure.error, () -> failure.isUnhandled() && !isAwaited(weak.get()));
    }

    private static boolean isAwaited(@Nullable GroupTask task) {
        return task != null && task.group.awaitsErrorOf(task);
    }

    /** Notes that the error has been delivered. */
    void handled(GroupTask.Failure failure) {
        if (!failure.isUnhandled()) return;
        failure.coroutine = null;
        if (--unhandled > 0) return;
        loop.removeLateReport(this);
        if (group.isOver()) group.ignoreLostHandle();
    }

    /** Drops the errors; none is to be reported, now or later. */
    void suppress(TaskQueue failed) {
        suppressed = true;
        for (GroupTask t = failed.first(); t != null; t = t.nextInQueue) handled(t.failure());
    }

    // ---- the end of the handle and of the group

    void handleGone() {
        handleLost = true;
        reportIfLost();
    }

    void groupIsOver() {
        if (unhandled == 0) group.ignoreLostHandle();
        reportIfLost();
    }

    /** Keeps errors from being reported before {@link #allowReports}: handlers of the group's end may ask for them. */
    void holdReports() {
        reportsHeld = true;
    }

    void allowReports() {
        reportsHeld = false;
        reportIfLost();
    }

    private void reportIfLost() {
        if (!handleLost || reportsHeld || !group.isOver() || unhandled == 0) return;
        loop.removeLateReport(this);
        run();
    }

    // ---- reporting

    /** Hands the errors to the group's scope: nobody will ask for them any more. */
    @Override
    public void run() {
        Throwable only = null;
        CompositeException several = null;
        CoroutineImpl<?> first = null;
        for (GroupTask t = group.spawnedTasks().first(); t != null; t = t.next) {
            if (t.state != GroupTask.FAILED || !t.failure().isUnhandled()) continue;
            GroupTask.Failure failure = t.failure();
            if (only == null) {
                only = failure.error;
                first = failure.coroutine;
            } else {
                if (several == null) {
                    several = new CompositeException();
                    several.add(only);
                }
                several.add(failure.error);
            }
            failure.coroutine = null;
        }
        unhandled = 0;
        if (only != null) group.scope().report(Objects.requireNonNull(first), several != null ? several : only);
    }
}
