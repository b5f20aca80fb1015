package org.trueasync.internal.future;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** The right to complete a future, held by other threads. Any thread. */
public final class RemoteEnd<T> {
    private final FutureCore<T> core;
    /** What has decided the future's outcome, as text for messages; null before. */
    private final AtomicReference<@Nullable String> decided = new AtomicReference<>();

    private Handles.@Nullable Watch watch;

    RemoteEnd(FutureCore<T> core) {
        this.core = core;
    }

    /**
     * Says that the future's waiters may still be woken while this handle is reachable. Called once, before the handle
     * goes to another thread.
     *
     * @param handle the object that other threads hold
     */
    public void heldBy(Object handle) {
        watch = Handles.whenUnreachable(handle, this::gone);
    }

    /** Called when the handle is unreachable. */
    private void gone() {
        if (decided.get() == null) core.loop.post(core::outsideIsGone);
    }

    /**
     * Completes the future with a value, soon: on its loop thread.
     *
     * @param value may be null
     * @throws AsyncException if it has been completed, abandoned, or cancelled by its reader
     */
    public void complete(@Nullable T value) {
        decide("completed");
        String site = core.loop.settings().spawnSite();
        core.loop.post(() -> {
            core.completedAt(site);
            core.tryComplete(value);
        });
    }

    /**
     * Completes the future with an error, soon: on its loop thread.
     *
     * @param error anything
     * @throws AsyncException if it has been completed, abandoned, or cancelled by its reader
     */
    public void fail(Throwable error) {
        Objects.requireNonNull(error, "error");
        decide("completed");
        String site = core.loop.settings().spawnSite();
        core.loop.post(() -> {
            core.completedAt(site);
            failHere(error);
        });
    }

    /**
     * Fails the future, or reports the error if the future has been cancelled. On the loop. The report needs a service
     * coroutine: an error's text is user code.
     */
    private void failHere(Throwable error) {
        if (core.tryFail(error)) return;
        core.loop.inService(() -> core.loop.report(
                "A future was cancelled while another thread completed it with an error:\n" + Causes.trace(error)));
    }

    /**
     * Abandons the future: fails it with an error that names this thread, unless it has been completed or cancelled.
     */
    public void abandon() {
        if (!decided.compareAndSet(null, by("abandoned"))) return;
        unwatch();
        Loop here = Runtimes.hereOrNull();
        var error = new AsyncException(
                "thread '" + Runtimes.threadName() + "' has abandoned a future without completing it",
                here == null ? null : here.lineage().endAbove());
        core.loop.post(() -> core.tryFail(error));
    }

    private void decide(String how) {
        if (!decided.compareAndSet(null, by(how)))
            throw new AsyncException("the future has been " + decided.get() + " already; complete it once");
        unwatch();
    }

    private static String by(String how) {
        return how + " by thread '" + Runtimes.threadName() + "'";
    }

    private void unwatch() {
        if (watch != null) watch.clean();
    }

    /** Called when the reader has cancelled the future. On the loop. */
    void withdrawn() {
        decided.compareAndSet(null, "cancelled by its reader");
        unwatch();
    }

    /** True once the future has been completed, abandoned or cancelled. */
    public boolean isDecided() {
        return decided.get() != null;
    }

    @Override
    public String toString() {
        String how = decided.get();
        return "remote future, " + (how == null ? "pending" : how);
    }
}
