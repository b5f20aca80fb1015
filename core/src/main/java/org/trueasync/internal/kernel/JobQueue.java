package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Jobs in order. Adding one either succeeds or, for want of memory, leaves everything as it was; a queue over an array that has to grow does not promise that. */
final class JobQueue {
    private static final class Entry {
        final Runnable job;

        @Nullable
        Entry next;

        Entry(Runnable job) {
            this.job = job;
        }
    }

    private @Nullable Entry first;
    private @Nullable Entry last;

    void add(Runnable job) {
        var entry = new Entry(job);
        if (last == null) first = entry;
        else last.next = entry;
        last = entry;
    }

    void addFirst(Runnable job) {
        var entry = new Entry(job);
        entry.next = first;
        first = entry;
        if (last == null) last = entry;
    }

    @Nullable
    Runnable poll() {
        Entry entry = first;
        if (entry == null) return null;
        first = entry.next;
        if (first == null) last = null;
        return entry.job;
    }

    boolean isEmpty() {
        return first == null;
    }

    void clear() {
        first = null;
        last = null;
    }
}
