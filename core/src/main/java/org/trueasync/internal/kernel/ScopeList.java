package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scopes in the order of their making; the links are in the scopes, so that leaving costs the same however many there are. */
final class ScopeList {
    private @Nullable CoroutineScope first;
    private @Nullable CoroutineScope last;
    private int size;

    void add(CoroutineScope scope) {
        scope.previousSibling = last;
        if (last == null) first = scope;
        else last.nextSibling = scope;
        last = scope;
        size++;
    }

    /** It is in this list. */
    void remove(CoroutineScope scope) {
        if (scope.previousSibling == null) first = scope.nextSibling;
        else scope.previousSibling.nextSibling = scope.nextSibling;
        if (scope.nextSibling == null) last = scope.previousSibling;
        else scope.nextSibling.previousSibling = scope.previousSibling;
        scope.previousSibling = null;
        scope.nextSibling = null;
        size--;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Those that are in it now; a list of the caller's own. */
    List<CoroutineScope> all() {
        var all = new ArrayList<CoroutineScope>(size);
        for (CoroutineScope s = first; s != null; s = s.nextSibling) all.add(s);
        return all;
    }
}
