package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What another thread can see of a loop while it runs, without the loop doing anything for it: plain fields, read in a race. What it says may be out of date
 * when it is read; that it says the same for a while is what counts.
 */
public final class LoopProbe {
    private final Scheduler scheduler;

    /**
     * Of a runtime.
     *
     * @param scheduler the runtime's
     */
    public LoopProbe(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** A number that changes with everything that the loop does: switches, coroutines that begin, turns of the reactor. */
    public long progress() {
        Counters counters = scheduler.counters;
        return counters.directSwitches
                + counters.schedulerSwitches
                + counters.contextReuses
                + counters.contextsCreated
                + counters.reactorTurns;
    }

    /** The coroutine that runs; null in the loop's frame and in guests. */
    public @Nullable CoroutineImpl<?> current() {
        return scheduler.current;
    }

    /** True while the loop waits in the reactor. */
    public boolean isWaiting() {
        return scheduler.arrivals.isAsleep();
    }

    /** True from the beginning of a shutdown: what holds the loop now is on its way out. */
    public boolean isEnding() {
        return scheduler.ending.isShuttingDown() || scheduler.isStopped();
    }

    /** The thread whose code runs on the loop: a coroutine's, a guest's, or the loop's own. */
    public Thread thread() {
        CoroutineImpl<?> coroutine = scheduler.current;
        ExecutionContext context = coroutine == null ? null : coroutine.context;
        if (context != null) return context.thread;
        Thread drainer = scheduler.microtasks.drainer();
        if (drainer != null) return drainer;
        Thread guest = scheduler.guests.running();
        return guest != null ? guest : scheduler.loopThread;
    }

    /**
     * Which coroutine it is, for a person to read.
     *
     * @param coroutine any of the runtime's
     * @return null for one of the scheduler's own
     */
    public static @Nullable String nameOf(CoroutineImpl<?> coroutine) {
        if (coroutine.isInternal()) return null;
        String spawned = coroutine.spawnLocation();
        return (coroutine.isMain() ? "the main coroutine, #" : "coroutine #")
                + coroutine.id()
                + (spawned.equals(CodeSites.UNKNOWN) ? "" : " spawned " + spawned);
    }

    /** The name of the runtime. */
    public String name() {
        return scheduler.settings.name();
    }

    /**
     * Whether a class is the program's, and not ours or the JDK's.
     *
     * @param className with its package
     */
    public static boolean isUserCode(String className) {
        return CodeSites.isUserCode(className);
    }
}
