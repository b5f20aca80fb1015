package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Context;

/** Who owns coroutines: keeps the list of the live ones in spawn order, hands them their context's parent, and is offered their errors. */
class CoroutineScope {
    final Scheduler scheduler;
    private final Context context;
    private @Nullable CoroutineImpl<?> first;
    private @Nullable CoroutineImpl<?> last;
    private int live;

    CoroutineScope(Scheduler scheduler, Context context) {
        this.scheduler = scheduler;
        this.context = context;
    }

    Context context() {
        return context;
    }

    void joined(CoroutineImpl<?> coroutine) {
        coroutine.previousInScope = last;
        if (last == null) first = coroutine;
        else last.nextInScope = coroutine;
        last = coroutine;
        live++;
    }

    void left(CoroutineImpl<?> coroutine) {
        if (coroutine.previousInScope == null) first = coroutine.nextInScope;
        else coroutine.previousInScope.nextInScope = coroutine.nextInScope;
        if (coroutine.nextInScope == null) last = coroutine.previousInScope;
        else coroutine.nextInScope.previousInScope = coroutine.previousInScope;
        coroutine.previousInScope = null;
        coroutine.nextInScope = null;
        live--;
    }

    int live() {
        return live;
    }

    List<CoroutineImpl<?>> coroutines() {
        var all = new ArrayList<CoroutineImpl<?>>(live);
        for (CoroutineImpl<?> c = first; c != null; c = c.nextInScope) all.add(c);
        return all;
    }
}
