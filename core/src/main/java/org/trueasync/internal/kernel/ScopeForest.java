package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trueasync.internal.queue.IntrusiveList;

/** The scopes of one runtime that have not closed: trees, as a scope need not have a parent. */
final class ScopeForest {
    /** Not a lambda: a heap that is full when a shutdown begins has no memory to link one. */
    private static final Comparator<CoroutineImpl<?>> BY_NUMBER = new Comparator<>() {
        @Override
        public int compare(CoroutineImpl<?> left, CoroutineImpl<?> right) {
            return Long.compare(left.id(), right.id());
        }
    };

    /** The scopes without a parent. */
    final IntrusiveList<CoroutineScope> roots = new IntrusiveList<>();

    /** All scopes, each after its parent. */
    List<CoroutineScope> all() {
        List<CoroutineScope> all = roots.toList();
        for (int i = 0; i < all.size(); i++) all.addAll(all.get(i).children.toList());
        return all;
    }

    /** The coroutines of all scopes, by number: in spawn order, but for threads of the thread factory. */
    List<CoroutineImpl<?>> coroutines() {
        var coroutines = new ArrayList<CoroutineImpl<?>>();
        for (CoroutineScope scope : all()) scope.addCoroutinesTo(coroutines);
        coroutines.sort(BY_NUMBER);
        return coroutines;
    }

    /**
     * Closes the scopes that are still open at the end of the run, if any has finally handlers. True if some of these
     * will run now.
     */
    boolean closeForgotten() {
        List<CoroutineScope> all = all();
        boolean any = false;
        for (CoroutineScope scope : all) any |= scope.hasFinallyHandlers();
        if (!any) return false;
        any = false;
        for (CoroutineScope scope : all.reversed()) {
            boolean handles = scope.hasFinallyHandlers();
            scope.closeAtEnd();
            any |= handles && scope.isClosed(); // a scope that can't close has been miscounted, for want of memory
        }
        return any;
    }
}
