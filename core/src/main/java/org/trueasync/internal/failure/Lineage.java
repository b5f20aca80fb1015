package org.trueasync.internal.failure;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.CompositeException;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Reactor;

/**
 * A run, the one that has started it, the one above that, and so on. What the end of one of them ends is no failure
 * here, see {@link EndOfRun}. Loop thread only, except {@link #startsToEnd}.
 */
public final class Lineage {
    private final Reactor run;
    private @Nullable Lineage above;
    private volatile boolean ending;

    /**
     * The lineage of a run that no other run has started.
     *
     * @param run its reactor
     */
    public Lineage(Reactor run) {
        this.run = run;
    }

    /** Notes which run has started this one. Before this one starts others. */
    public void startedBy(Lineage parent) {
        above = parent;
    }

    /** Notes that this run tells those that it has started to end. Any thread. */
    public void startsToEnd() {
        ending = true;
    }

    /** Returns the end of the run above that has told this one to end; null if none has. */
    public @Nullable EndOfRun endAbove() {
        for (Lineage at = above; at != null; at = at.above) if (at.ending) return new EndOfRun(at.run);
        return null;
    }

    /** True if the end of this run, or of one above it, has caused the error. */
    public boolean hasCaused(Throwable error) {
        return Causes.any(error, cause -> cause instanceof EndOfRun end && concerns(end));
    }

    private boolean concerns(EndOfRun end) {
        for (Lineage at = this; at != null; at = at.above) if (end.isOf(at.run)) return true;
        return false;
    }

    /**
     * True if it is a cancellation, or the end of a run has caused it; of several errors of one operation, if that is
     * true of each.
     */
    public boolean isNoFailure(Throwable error) {
        // a subclass is the program's own, and so are its methods
        if (error.getClass() != CompositeException.class) return isCancellation(error);
        return ((CompositeException) error).exceptions().stream().allMatch(this::isCancellation);
    }

    private boolean isCancellation(Throwable error) {
        return error instanceof AsyncCancellation || hasCaused(error);
    }

    /**
     * Returns the cancellation as which a coroutine ends that has thrown this error; null if it has failed.
     *
     * @param ending true if this run is ending: it has cancelled what the coroutine waited for
     */
    public @Nullable AsyncCancellation cancellation(@Nullable Throwable thrown, boolean ending) {
        if (thrown == null || thrown instanceof AsyncCancellation) return null;
        if (ending ? !isNoFailure(thrown) : !hasCaused(thrown)) return null;
        return new AsyncCancellation("the run has ended what this coroutine used", thrown);
    }
}
