package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Events;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TriggerEvent;

/**
 * The calls that callers outside make to a runtime: coroutines of other runtimes, and threads that are no coroutines.
 * Coroutines of the runtime serve them. Each runtime that has opened a data source has one such object. The object
 * neither keeps the run alive nor hides a deadlock. It refers to data sources only through calls under way. Any thread.
 */
final class OutsideCalls extends EventCallback {
    private static final Map<Reactor, OutsideCalls> BY_RUNTIME = new ConcurrentHashMap<>();

    private final Reactor runtime;
    private final TriggerEvent trigger = Events.trigger();
    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Set<OutsideCall<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    private OutsideCalls(Reactor runtime) {
        this.runtime = runtime;
    }

    /**
     * Returns the object of the calling loop's runtime. It ends after all pools that are opened later. Loop thread.
     */
    static OutsideCalls ofThisRuntime() {
        Reactor runtime = SchedulerProvider.get().reactor();
        OutsideCalls known = BY_RUNTIME.get(runtime);
        if (known != null) return known;
        var made = new OutsideCalls(runtime);
        Cleanup.atEnd(made::end);
        made.trigger.setHidden(true);
        made.trigger.addCallback(made);
        made.trigger.start();
        BY_RUNTIME.put(runtime, made);
        return made;
    }

    /** Returns the error of a call that comes too late. */
    SQLException ended(String dataSource) {
        return Failures.ended(dataSource, new EndOfRun(runtime));
    }

    /** True once the run has ended or is about to end. No call begins any more. */
    boolean isOver() {
        return over;
    }

    /**
     * Has a coroutine of this runtime do some work.
     *
     * @param work runs in a coroutine of the main scope; may wait
     * @param unwanted gets the value if the caller has left meanwhile
     */
    <T> OutsideCall<T> call(Callable<T> work, Consumer<? super T> unwanted) {
        var call = new OutsideCall<>(this, work, unwanted);
        underWay.add(call);
        post(() -> launch(call));
        if (over) failAll();
        return call;
    }

    private static void launch(OutsideCall<?> call) {
        try {
            Async.launch(call::serve);
        } catch (AsyncException noMoreCoroutines) {
            call.failAtEndOfRun();
        }
    }

    /** Has the loop run an action, which must not wait. */
    void post(Runnable action) {
        arrivals.add(action);
        trigger.trigger();
    }

    void ended(OutsideCall<?> call) {
        underWay.remove(call);
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        // A coroutine that is spawned in a microtask belongs to the main scope. If it were spawned here, it would
        // belong to the scope of the coroutine in whose tick the event arrives.
        if (!arrivals.isEmpty()) Microtask.of(this::takeArrivals).enqueue();
    }

    private void takeArrivals() {
        Runnable next;
        while (!over && (next = arrivals.poll()) != null) next.run();
    }

    private void end() {
        over = true;
        BY_RUNTIME.remove(runtime, this);
        failAll();
    }

    private void failAll() {
        for (OutsideCall<?> call : new ArrayList<>(underWay)) call.failAtEndOfRun();
        arrivals.clear();
    }
}
