package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.Context;
import org.trueasync.Scope;

/** Who owns coroutines: keeps the list of the live ones in spawn order, hands them their context's parent, and is offered their errors. */
public final class CoroutineScope {
    final Scheduler scheduler;
    private final Context context;
    private @Nullable CoroutineImpl<?> first;
    private @Nullable CoroutineImpl<?> last;
    private int live;
    private @Nullable Scope handle;

    CoroutineScope(Scheduler scheduler, Context context) {
        this.scheduler = scheduler;
        this.context = context;
    }

    /**
     * What users hold.
     *
     * @param maker makes it the first time
     */
    public Scope handle(Function<CoroutineScope, Scope> maker) {
        Scope made = handle;
        if (made == null) handle = made = maker.apply(this);
        return made;
    }

    /** Queues a new coroutine of this scope. */
    public <T> CoroutineImpl<T> spawn(Callable<T> task) {
        requireRunning();
        return scheduler.spawner.spawn(this, Objects.requireNonNull(task, "task"), 0);
    }

    /** As {@link #spawn(Callable)}. */
    public CoroutineImpl<Object> spawn(Body task) {
        requireRunning();
        return scheduler.spawner.spawn(this, Tasks.task(task), 0);
    }

    private void requireRunning() {
        if (scheduler.isStopped()) throw Misuse.hasEnded(scheduler);
        scheduler.requireLoopThread("Scope.spawn");
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

    /** How many it owns now. */
    public int live() {
        return live;
    }

    List<CoroutineImpl<?>> coroutines() {
        var all = new ArrayList<CoroutineImpl<?>>(live);
        for (CoroutineImpl<?> c = first; c != null; c = c.nextInScope) all.add(c);
        return all;
    }
}
