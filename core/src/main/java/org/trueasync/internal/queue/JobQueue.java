package org.trueasync.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * Jobs, first in, first out, except those that are added in front. If there is no memory for a job, adding it changes
 * nothing. A queue over an array that has to grow does not promise that.
 */
public final class JobQueue {
    private static final class Entry extends IntrusiveList.Node {
        final Runnable job;

        Entry(Runnable job) {
            this.job = job;
        }
    }

    private final IntrusiveList<Entry> entries = new IntrusiveList<>();

    public void add(Runnable job) {
        entries.add(new Entry(job));
    }

    public void addFirst(Runnable job) {
        entries.addFirst(new Entry(job));
    }

    @Nullable
    public Runnable poll() {
        Entry entry = entries.poll();
        return entry == null ? null : entry.job;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public void clear() {
        while (poll() != null) {}
    }
}
