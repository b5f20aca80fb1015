package org.trueasync.internal.task;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/**
 * Things that end when their scope is cancelled or disposed of, channels for instance. They end in the order of their
 * creation. The scope does not keep them alive, nor do they keep the scope alive. Loop thread only.
 */
public final class ScopeOwned {
    /** Something that belongs to a scope without being a coroutine. */
    @FunctionalInterface
    public interface Owned {
        /**
         * Called when the scope is being cancelled. Called anywhere on the loop thread: may only queue things, and
         * neither waits nor throws.
         *
         * @param reason what the scope's coroutines are about to see thrown; null if there are none
         */
        void scopeEnds(@Nullable AsyncCancellation reason);
    }

    private static final class Entry extends WeakReference<Owned> {
        Entry(Owned owned, ReferenceQueue<Owned> gone) {
            super(owned, gone);
        }
    }

    private final ReferenceQueue<Owned> gone = new ReferenceQueue<>();
    private final Set<Object> entries = new LinkedHashSet<>();

    /** Creates an empty list. */
    public ScopeOwned() {}

    /**
     * Adds something.
     *
     * @param owned held weakly
     * @return an entry for {@link #remove}
     */
    public Object add(Owned owned) {
        for (Object lost = gone.poll(); lost != null; lost = gone.poll()) entries.remove(lost);
        var entry = new Entry(owned, gone);
        entries.add(entry);
        return entry;
    }

    /**
     * Adds something again whose entry has lost it.
     *
     * @param entry what {@link #add} returned
     * @param owned what was added
     * @return its entry from now on
     */
    public Object renew(Object entry, Owned owned) {
        return ((Entry) entry).refersTo(owned) ? entry : add(owned);
    }

    /**
     * Removes something that has ended by itself.
     *
     * @param entry what {@link #add} returned
     */
    public void remove(Object entry) {
        entries.remove(entry);
    }

    /** Tells all of them that the scope ends, and forgets them. */
    public void scopeEnds(@Nullable AsyncCancellation reason) {
        if (entries.isEmpty()) return;
        List<Object> all = List.copyOf(entries);
        entries.clear();
        for (Object entry : all) {
            Owned owned = ((Entry) entry).get();
            if (owned != null) owned.scopeEnds(reason);
        }
    }
}
