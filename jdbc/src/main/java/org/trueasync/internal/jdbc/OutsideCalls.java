package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/**
 * The calls that callers outside make to a runtime: coroutines of other runtimes, and threads that are no coroutines.
 * Coroutines of the runtime serve them. Each runtime that has opened a data source has one such object. The object
 * neither keeps the run alive nor hides a deadlock. It refers to data sources only through calls under way. Any thread.
 */
final class OutsideCalls {
    private static final Map<Reactor, OutsideCalls> BY_RUNTIME = new ConcurrentHashMap<>();

    private final Reactor runtime;
    /** Begins a coroutine of the main scope. It slows down callers that come without end. */
    private final Executor loop = SchedulerProvider.get().hiddenExecutor();

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
        if (!begin(call::serve)) call.failAtEndOfRun();
        if (over) failAll();
        return call;
    }

    /**
     * Has a coroutine of this runtime do something.
     *
     * @return false if the run takes no more tasks
     */
    boolean begin(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }

    /** How many calls have not ended. */
    int underWay() {
        return underWay.size();
    }

    void ended(OutsideCall<?> call) {
        underWay.remove(call);
    }

    private void end() {
        over = true;
        BY_RUNTIME.remove(runtime, this);
        failAll();
    }

    private void failAll() {
        for (OutsideCall<?> call : new ArrayList<>(underWay)) call.failAtEndOfRun();
    }
}
