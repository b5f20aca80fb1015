package org.trueasync.internal.jdbc;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open statements, results of metadata and locators of one lease. Few users free locators, so these are held
 * weakly: one that was dropped does not need the connection, and a million of them must not pile up.
 */
final class OpenHandles {
    private final List<Handle> held = new ArrayList<>(4);
    private final List<Locator> locators = new ArrayList<>(0);
    private @Nullable ReferenceQueue<Handle> dropped;

    /** A reference to a locator that its user may drop without freeing it. */
    static final class Locator extends WeakReference<Handle> {
        private int index;

        private Locator(Handle handle, ReferenceQueue<Handle> dropped, int index) {
            super(handle, dropped);
            this.index = index;
        }
    }

    void add(Handle handle) {
        if (handle instanceof LocatorHandle locator) {
            forgetDropped();
            if (dropped == null) dropped = new ReferenceQueue<>();
            locator.reference = new Locator(handle, dropped, locators.size());
            locators.add(locator.reference);
        } else {
            handle.index = held.size();
            held.add(handle);
        }
    }

    void remove(Handle handle) {
        if (handle instanceof LocatorHandle locator) {
            if (locator.reference != null) remove(locator.reference);
            return;
        }
        int index = handle.index;
        if (index < 0) return;
        handle.index = -1;
        Handle last = held.removeLast();
        if (last == handle) return;
        held.set(index, last);
        last.index = index;
    }

    private void remove(Locator locator) {
        int index = locator.index;
        if (index < 0) return;
        locator.index = -1;
        locator.clear();
        Locator last = locators.removeLast();
        if (last == locator) return;
        locators.set(index, last);
        last.index = index;
    }

    private void forgetDropped() {
        if (dropped == null) return;
        Reference<? extends Handle> gone;
        while ((gone = dropped.poll()) != null) remove((Locator) gone);
    }

    boolean isEmpty() {
        if (!held.isEmpty()) return false;
        forgetDropped();
        return locators.isEmpty();
    }

    /** Returns a copy of the locators that were not dropped. */
    List<Handle> locators() {
        var alive = new ArrayList<Handle>(locators.size());
        for (Locator locator : locators) {
            Handle handle = locator.get();
            if (handle != null) alive.add(handle);
        }
        return alive;
    }

    /**
     * Returns a copy of all, in the order in which to close them: locators, then the others. Of those the latest is the
     * first, unless one was closed before: its place went to the latest.
     */
    List<Handle> all() {
        List<Handle> all = locators();
        all.addAll(held.reversed());
        return all;
    }
}
