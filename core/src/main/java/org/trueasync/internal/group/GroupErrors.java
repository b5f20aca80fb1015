package org.trueasync.internal.group;

import java.util.Objects;
import org.trueasync.CompositeException;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.unobserved.UnobservedErrorHolder;

/**
 * The errors of a group that nobody has asked for. The group keeps them for whoever asks; when nobody can ask any more, because the handle is unreachable and
 * the last task has settled, or because the run ends, they go to the group's scope, once and together.
 */
final class GroupErrors implements UnobservedErrorHolder {
    private final GroupCore group;
    private final Loop loop;
    private int unhandled;
    private boolean suppressed;
    /** Nobody can ask for errors any more. */
    private boolean lost;
    /** Its last handlers still may. */
    private boolean awaited;

    GroupErrors(GroupCore group) {
        this.group = group;
        this.loop = group.loop();
    }

    // ---- counting

    void happened(GroupTask.Failure failure) {
        if (suppressed) failure.coroutine = null;
        CoroutineImpl<?> failed = failure.coroutine;
        if (failed == null) return;
        if (unhandled++ == 0) loop.registerErrorHolder(this);
        loop.reportSoon(failed, failure.error, failure::isUnhandled);
    }

    /** Somebody has got the error. */
    void handled(GroupTask.Failure failure) {
        if (!failure.isUnhandled()) return;
        failure.coroutine = null;
        if (--unhandled > 0) return;
        loop.unregisterErrorHolder(this);
        if (group.isOver()) group.handleIsOfNoConsequence();
    }

    /** None is to be reported, now or later. */
    void suppress(TaskQueue failed) {
        suppressed = true;
        for (GroupTask t = failed.first(); t != null; t = t.nextInLine) handled(t.failure());
    }

    // ---- who can still ask

    /** The handle is unreachable. */
    void handleGone() {
        lost = true;
        reportIfLost();
    }

    /** All tasks have settled. */
    void groupIsOver() {
        if (unhandled == 0) group.handleIsOfNoConsequence();
        reportIfLost();
    }

    /** Errors are not reported before {@link #go}: handlers of the end may ask for them. */
    void await() {
        awaited = true;
    }

    void go() {
        awaited = false;
        reportIfLost();
    }

    private void reportIfLost() {
        if (!lost || awaited || !group.isOver() || unhandled == 0) return;
        loop.unregisterErrorHolder(this);
        reportErrors();
    }

    // ---- reporting

    @Override
    public void reportErrors() {
        Throwable only = null;
        CompositeException several = null;
        CoroutineImpl<?> first = null;
        for (GroupTask t = group.roll().first(); t != null; t = t.next) {
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
