package org.trueasync.internal.watch;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle.Change;

/** Keeps each change as it comes. */
final class RawBacklog implements Backlog {
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final int maxKept;
    /** The last change, if it stands for those that do not fit; else null. */
    private @Nullable Change overflow;

    RawBacklog(int maxKept) {
        this.maxKept = maxKept;
    }

    @Override
    public void add(Change change, long now) {
        if (overflow != null) return;
        if (changes.size() >= maxKept) change = overflow = new Change(null, true, true);
        changes.add(change);
    }

    @Override
    public @Nullable Change take(long now) {
        Change first = changes.poll();
        if (first == overflow) overflow = null;
        return first;
    }

    @Override
    public void giveBack(Change change) {
        changes.addFirst(change);
    }

    @Override
    public long due(long now) {
        return changes.isEmpty() ? NEVER : 0;
    }

    @Override
    public void end() {}
}
