package org.trueasync.internal.watch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle.Change;

/** Keeps one change for each name, in the order of the first changes; the flags of later ones are added to it. */
final class MergedBacklog implements Backlog {
    private static final int RENAMED = 1;
    private static final int CHANGED = 2;

    /** Flags by name; null is a key like any other. */
    private final LinkedHashMap<@Nullable String, Integer> flags = new LinkedHashMap<>();

    private final int maxKept;
    /** True while the change without a name stands for names that do not fit. */
    private boolean full;

    MergedBacklog(int maxKept) {
        this.maxKept = maxKept;
    }

    @Override
    public void add(Change change, long now) {
        Integer known = flags.get(change.name());
        if (known == null && full) return;
        if (known == null && change.name() != null && flags.size() >= maxKept) {
            full = true;
            flags.put(null, RENAMED | CHANGED);
        } else {
            flags.put(change.name(), (known == null ? 0 : known) | flagsOf(change));
        }
    }

    private static int flagsOf(Change change) {
        return (change.renamed() ? RENAMED : 0) | (change.changed() ? CHANGED : 0);
    }

    @Override
    public @Nullable Change take(long now) {
        Map.Entry<@Nullable String, Integer> first = flags.pollFirstEntry();
        if (first == null) return null;
        if (first.getKey() == null) full = false;
        int bits = first.getValue();
        return new Change(first.getKey(), (bits & RENAMED) != 0, (bits & CHANGED) != 0);
    }

    @Override
    public void giveBack(Change change) {
        Integer since = flags.get(change.name());
        flags.putFirst(change.name(), (since == null ? 0 : since) | flagsOf(change));
    }

    @Override
    public long due(long now) {
        return flags.isEmpty() ? NEVER : 0;
    }

    @Override
    public void end() {}
}
