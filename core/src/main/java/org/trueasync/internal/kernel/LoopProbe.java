package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.task.LoopThread;
import org.trueasync.internal.time.LoopLoad;

/**
 * What another thread can see of a loop while it runs, without the loop doing anything for it: plain fields, read in a
 * race. A value may be out of date when it is read; what counts is that it stays the same for a while. Any thread,
 * where nothing else is said.
 */
public final class LoopProbe {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Loop loop;

    /**
     * Makes a probe of a runtime.
     *
     * @param loop the runtime's loop
     */
    public LoopProbe(Loop loop) {
        this.loop = loop;
    }

    /** The loop. Any thread may have it, but most of its methods are for the loop thread. */
    public Loop loop() {
        return loop;
    }

    /**
     * A number that changes as the loop goes on: with switches, coroutines that begin, and polls. It does not change
     * when JDK code parks or yields, or when a virtual thread of a library runs.
     */
    public long progress() {
        Counters counters = loop.counters;
        return counters.directSwitches
                + counters.schedulerSwitches
                + counters.contextReuses
                + counters.contextsCreated
                + counters.reactorTurns;
    }

    /** A number that changes with switches and new coroutines, and not with what the loop does for itself. */
    public long activity() {
        Counters counters = loop.counters;
        return counters.directSwitches + counters.schedulerSwitches + counters.contextReuses + counters.spawned;
    }

    /**
     * Has a service coroutine of the loop inspect it. Any thread.
     *
     * @param inspection returns true if another inspection may find more
     * @param listener called on the loop thread afterwards
     */
    public void inspect(BooleanSupplier inspection, InspectionListener listener) {
        loop.postToService(() -> {
            long begin = System.nanoTime();
            boolean more = true;
            try {
                more = inspection.getAsBoolean();
            } catch (VirtualMachineError full) {
                // A heap that is full for a moment must not end the run because of an inspection. There will be another
                // one.
            }
            listener.inspected(more, System.nanoTime() - begin);
        });
    }

    /** True if the loop may wait for an executor that has been collected without the loop's knowledge. */
    public boolean hasLostAnExecutor() {
        return LoopExecutor.hasCollectedOne(loop);
    }

    /** Gets the result of an inspection. */
    @FunctionalInterface
    public interface InspectionListener {
        /**
         * Called after the inspection.
         *
         * @param more whether another inspection may find more
         * @param nanos how long it took
         */
        void inspected(boolean more, long nanos);
    }

    /** All counts, read one after another: only on the loop thread are they of the same moment. */
    public RuntimeStats stats() {
        Counters counters = loop.counters;
        LoopLoad load = loop.load;
        long now = now();
        CoroutineImpl<?> current = loop.current;
        int alive = loop.agenda.alive;
        int running = current == null || !current.isRunning() || current.isInternal() ? 0 : 1;
        int notBegun = Math.max(0, (int) (counters.spawned - counters.begun));
        return new RuntimeStats(
                alive,
                notBegun,
                running,
                Math.max(0, alive - notBegun - running),
                loop.agenda.queue.size(),
                loop.agenda.blocked,
                loop.agenda.activeEvents.count(),
                loop.timers.size() - loop.errors.notices.timers(),
                loop.reactor.openHandles() - loop.sockets.handles(),
                loop.contexts.size(),
                counters.spawned,
                counters.contextsCreated,
                counters.directSwitches,
                counters.schedulerSwitches,
                counters.contextReuses,
                counters.reactorTurns,
                load.utilisation(now),
                load.lag(now) / NANOS_PER_MILLI,
                load.held(now) / NANOS_PER_MILLI,
                load.holds(now));
    }

    /** How busy the loop is. */
    public LoopLoad load() {
        return loop.load;
    }

    /** The time, by the reactor's clock. */
    public long now() {
        return loop.reactor.nanoTime();
    }

    /** The coroutine that runs; null in the loop's frame and in virtual threads of libraries. */
    public @Nullable Coroutine<?> current() {
        return loop.current;
    }

    /** True while the loop waits in the reactor, or is about to. */
    public boolean isWaiting() {
        return loop.remoteQueue.isPolling();
    }

    /** True from the beginning of a shutdown: what holds the loop now is on its way out. */
    public boolean isEnding() {
        return loop.shutdown.isShuttingDown() || loop.isStopped();
    }

    /** The thread whose code runs on the loop: a coroutine's, a library's virtual thread, or the loop's own. */
    public Thread thread() {
        CoroutineImpl<?> coroutine = loop.current;
        ExecutionContext context = coroutine == null ? null : coroutine.context;
        if (context != null) return context.thread;
        Thread drainer = loop.agenda.microtasks.drainer();
        if (drainer != null) return drainer;
        Thread library = loop.agenda.libraryThreads.running();
        return library != null ? library : loop.loopThread;
    }

    /** How many coroutines there are that have not ended. */
    public int coroutines() {
        return loop.agenda.alive;
    }

    /**
     * True if nothing else is under way, and only a holder of an executor could bring work. Loop thread, in a service
     * coroutine.
     *
     * @param afterLong true if nothing has happened for long: then an executor that another thread has used may have
     *     been forgotten too
     */
    public boolean onlyExecutorsAreLeft(boolean afterLong) {
        return loop.agenda.hasOnlyExecutors()
                && !LoopExecutor.isExpected(loop, afterLong)
                && !loop.shutdown.isShuttingDown();
    }

    /** The platform thread that everything of this loop runs on. */
    public Thread loopThread() {
        return loop.loopThread;
    }

    /**
     * Keeps the loop from mounting another stack until {@link #allowMounts}. The mounted stack goes on, so this is of
     * use only if its thread is found waiting afterwards: then no other stack of this loop is mounted or about to be.
     */
    public void blockMounts() {
        loop.mountBarrier.begin();
    }

    /** Ends what {@link #blockMounts} began. */
    public void allowMounts() {
        loop.mountBarrier.end();
    }

    /**
     * The coroutines that have a stack, as far as they can be listed while the loop stands.
     *
     * @param max how many at most, service coroutines not counted
     */
    public List<Coroutine<?>> withStacks(int max) {
        var found = new ArrayList<Coroutine<?>>();
        for (CoroutineImpl<?> coroutine : loop.scopes.coroutines()) {
            if (coroutine.context != null && found.size() < max) found.add(coroutine);
        }
        for (Coroutine<?> coroutine : List.copyOf(loop.agenda.serving))
            if (CoroutineImpl.of(coroutine).context != null) found.add(coroutine);
        return found;
    }

    /**
     * The thread of a coroutine's execution context, or null if it has none now.
     *
     * @param coroutine of this loop
     */
    public static @Nullable Thread threadOf(Coroutine<?> coroutine) {
        ExecutionContext context = CoroutineImpl.of(coroutine).context;
        return context == null ? null : context.thread;
    }

    /**
     * Abandons a loop that can never move again: a thread that waits for its run gets this thrown, unless it is the
     * loop's own thread.
     *
     * @param error says why
     * @return false if no other thread waits
     */
    public boolean abandon(DeadlockError error) {
        return loop.loopThread instanceof LoopThread<?> thread && thread.abandon(error);
    }

    /**
     * Names a coroutine, for a person to read.
     *
     * @param handle any coroutine of the runtime
     * @return null for a service coroutine
     */
    public static @Nullable String nameOf(Coroutine<?> handle) {
        CoroutineImpl<?> coroutine = CoroutineImpl.of(handle);
        if (coroutine.isInternal()) return null;
        String spawned = coroutine.spawnLocation();
        return (coroutine.isMain() ? "the main coroutine, " : "coroutine ")
                + coroutine.label()
                + (spawned.equals(CodeSites.UNKNOWN) ? "" : " spawned " + spawned);
    }

    /** The name of the runtime. */
    public String name() {
        return loop.name();
    }
}
