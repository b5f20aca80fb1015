package org.trueasync.internal.watch;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle.Change;

/**
 * Joins all changes into one without a name. The joined change is due when no change has come for the quiet time, or
 * when the first one has been held for the longest time.
 */
final class QuietBacklog implements Backlog {
    private final long quietNanos;
    private final long holdNanos;
    private @Nullable Change held;
    private long first;
    private long last;
    /** True if the held change stays due although others come: it was due when one came, or it was given back. */
    private boolean overdue;

    private boolean ended;

    QuietBacklog(long quietNanos, long holdNanos) {
        this.quietNanos = quietNanos;
        this.holdNanos = holdNanos;
    }

    @Override
    public void add(Change change, long now) {
        Change before = held;
        if (before == null) first = now;
        else if (due(now) <= 0) overdue = true;
        last = now;
        held = before == null ? new Change(null, change.renamed(), change.changed()) : joined(before, change);
    }

    private static Change joined(Change one, Change other) {
        return new Change(null, one.renamed() || other.renamed(), one.changed() || other.changed());
    }

    @Override
    public @Nullable Change take(long now) {
        if (due(now) > 0) return null;
        Change taken = held;
        held = null;
        overdue = false;
        return taken;
    }

    @Override
    public void giveBack(Change change) {
        held = held == null ? change : joined(change, held);
        overdue = true;
    }

    @Override
    public long due(long now) {
        if (held == null) return NEVER;
        return overdue || ended ? 0 : Math.min(last + quietNanos - now, first + holdNanos - now);
    }

    @Override
    public void end() {
        ended = true;
    }
}
