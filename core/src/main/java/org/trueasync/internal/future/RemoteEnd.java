package org.trueasync.internal.future;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.unobserved.Handles;

/** The end of a future that completes it, in the hands of other threads. Any thread. */
public final class RemoteEnd<T> {
    private final FutureCore<T> core;
    /** What has decided the future, for messages. */
    private final AtomicReference<@Nullable String> decided = new AtomicReference<>();

    private Handles.@Nullable Watch watch;

    RemoteEnd(FutureCore<T> core) {
        this.core = core;
    }

    /**
     * While this is reachable, those who wait for the future may be woken. Called once, before it goes to another thread.
     *
     * @param handle what other threads hold
     */
    public void heldBy(Object handle) {
        watch = Handles.whenUnreachable(handle, this::gone);
    }

    /** Nobody can complete it any more. */
    private void gone() {
        if (decided.get() == null) core.loop.post(core::outsideIsGone);
    }

    /**
     * Completes the future with a value, soon: on its own thread.
     *
     * @param value may be null
     * @throws AsyncException if it has been completed
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
     * Completes the future with an error, soon: on its own thread.
     *
     * @param error anything
     * @throws AsyncException if it has been completed
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

    /** On the loop. In the frame, where nothing may wait: an error's text is the user's code. */
    private void failHere(Throwable error) {
        if (core.tryFail(error)) return;
        core.loop.inService(() -> core.loop.report(
                "A future was cancelled while another thread completed it with an error:\n" + Causes.trace(error)));
    }

    /** Completes the future with an error that says so, unless it has been completed. */
    public void abandon() {
        if (!decided.compareAndSet(null, by("given up"))) return;
        unwatch();
        var error = new AsyncException(
                "thread '" + Runtimes.threadName() + "' has given up a future without completing it");
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

    /** The reader has cancelled the future. On the loop. */
    void withdrawn() {
        decided.compareAndSet(null, "cancelled by its reader");
        unwatch();
    }

    /** True once nothing can be completed here any more. */
    public boolean isDecided() {
        return decided.get() != null;
    }

    @Override
    public String toString() {
        String how = decided.get();
        return "remote future, " + (how == null ? "pending" : how);
    }
}
