package org.trueasync.internal.jdbc;

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
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Events;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TriggerEvent;

/**
 * How other threads have something done in a coroutine of a runtime; one for each runtime that has data sources. It neither keeps the run alive nor rules a deadlock out, and
 * it knows no data source beyond the calls that are under way. Any thread.
 */
final class Entrance extends EventCallback {
    private static final Map<Reactor, Entrance> BY_RUNTIME = new ConcurrentHashMap<>();

    private final Reactor runtime;
    private final TriggerEvent trigger = Events.trigger();
    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Set<OutsideCall<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    private Entrance(Reactor runtime) {
        this.runtime = runtime;
    }

    /** Of the runtime on the loop thread that calls this. Its end follows that of all pools which are opened afterwards. */
    static Entrance here() {
        Reactor runtime = SchedulerProvider.get().reactor();
        Entrance known = BY_RUNTIME.get(runtime);
        if (known != null) return known;
        var made = new Entrance(runtime);
        Cleanup.atEnd(made::end);
        made.trigger.setHidden(true);
        made.trigger.addCallback(made);
        made.trigger.start();
        BY_RUNTIME.put(runtime, made);
        return made;
    }

    /** True once the run has ended, or nearly: nothing is begun any more. */
    boolean isOver() {
        return over;
    }

    /**
     * Has something done.
     *
     * @param work in a coroutine of the main scope; may wait
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
            call.runEnds();
        }
    }

    /** Has an action run on the loop, which only queues things. */
    void post(Runnable action) {
        arrivals.add(action);
        trigger.trigger();
    }

    void ended(OutsideCall<?> call) {
        underWay.remove(call);
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        // What is spawned in a microtask belongs to the main scope, not to the coroutine in whose tick the event
        // arrives.
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
        for (OutsideCall<?> call : new ArrayList<>(underWay)) call.runEnds();
        arrivals.clear();
    }
}
