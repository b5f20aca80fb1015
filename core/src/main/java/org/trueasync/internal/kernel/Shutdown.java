package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.DeadlockError;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.failure.DeadlockReport;
import org.trueasync.internal.failure.Lineage;
import org.trueasync.internal.failure.ReportThread;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.task.Drain;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/*
 * How a run ends.
 *
 *  RUNNING       -> DRAINING       gracefulShutdown, a signal; if there is something to drain
 *  RUNNING       -> SHUTTING_DOWN  the same, if there is nothing to drain; an unhandled error
 *  DRAINING      -> SHUTTING_DOWN  nothing is under way any more, the drain's deadline, a second signal, an unhandled
 *                                 error
 *  RUNNING       -> (nothing left) unobserved errors, cleanup actions, stop
 *  any           -> FINAL          the deadline, an unhandled error during a shutdown, a deadlock that survives its
 *                                 resolution, no memory for an orderly end
 *
 * The drain changes nothing for coroutines: work that is under way goes on. An unhandled error skips it, as it skips
 * the rest of the program: the run has failed, and whoever waits for it is to learn of that.
 *
 * The steps that follow: the flag is set; every coroutine gets its cancellation, protected ones too; they
 * run their finally blocks, which may wait; at the deadline the coroutines that remain are unwound without waiting
 * (FINAL: each further attempt to suspend throws); the clean-up actions run; the reactor stops.
 */
final class Shutdown {
    private enum Phase {
        RUNNING,
        DRAINING,
        SHUTTING_DOWN,
        /** No coroutine can wait any more. */
        FINAL,
        /** As FINAL, and nothing more is begun: there may be no memory for a coroutine. */
        ABANDONED
    }

    /**
     * If coroutines have been refused to suspend this often in the final phase and none has ended for good meanwhile,
     * one of them catches everything in a loop, or each spawns the next. The one that is refused then is left where it
     * waits.
     */
    private static final int MAX_REFUSALS = 1_000;

    /** How many coroutines a report names. */
    private static final int MAX_SHOWN = 20;

    /**
     * How long the end waits for the service in the final phase: one of its jobs may meet a lock that is never
     * released.
     */
    private static final Duration SERVICE_GRACE = Duration.ofSeconds(1);

    private final Loop loop;
    final Lineage lineage;
    final Drain drain;
    /** What is tried before a deadlock is considered. */
    final StallActions stallActions;

    final CleanupActions cleanups;
    /** What is done when no coroutine runs any more. */
    final List<Runnable> releases = new ArrayList<>(2);

    private Phase phase = Phase.RUNNING;
    private boolean deadlockResolved;
    /** Contexts that are blocked in {@code System.exit}: they never return, so they are not waited for. */
    private final Set<ExecutionContext> exiting = new HashSet<>();

    /** How often a coroutine was refused to suspend since {@link #fewestAlive} became less, or one was left. */
    private int refusals;
    /** The least number of coroutines that were alive at a refusal. */
    private int fewestAlive = Integer.MAX_VALUE;
    /** The least number of coroutines that were left when nothing could change that in the final phase. */
    private int fewestLeft = Integer.MAX_VALUE;

    /** What the drain's end begins; null while a drain goes on that lasts until its run is told to end. */
    private @Nullable AsyncCancellation afterDrain;
    /** Told once that nothing is under way here any more. */
    private final List<Runnable> parentsDrains = new ArrayList<>(0);
    /** Of the drain, then of the shutdown. */
    private @Nullable TimerEvent deadline;

    private boolean leavesService;
    private @Nullable AsyncCancellation reason;
    private final List<String> survivors = new ArrayList<>();

    Shutdown(Loop loop) {
        this.loop = loop;
        this.lineage = new Lineage(loop.reactor);
        this.drain = new Drain(
                loop::beginDrainHook, loop.remoteQueue::hasTasks, this::nothingUnderWay, loop.settings.diagnostics());
        this.stallActions = new StallActions(loop.agenda::isStalled);
        this.cleanups = new CleanupActions(loop::spawnFollowUp, loop::failedAtEnd);
    }

    boolean isShuttingDown() {
        return phase.compareTo(Phase.SHUTTING_DOWN) >= 0;
    }

    boolean isOver() {
        return phase == Phase.FINAL || phase == Phase.ABANDONED;
    }

    /** True if the run no longer waits for the service. */
    boolean leavesService() {
        return leavesService;
    }

    int exiting() {
        return exiting.size();
    }

    /** True if it must be found out whether this coroutine, which JDK code has parked, is in {@code System.exit}. */
    boolean looksForExits(@Nullable CoroutineImpl<?> coroutine) {
        if (phase != Phase.DRAINING) return isShuttingDown();
        return coroutine != null && coroutine.isUnderWay();
    }

    /**
     * Notes a context that JDK code has parked during a shutdown, if it is in {@code System.exit}. In a service
     * coroutine, as taking a stack may meet a lock.
     */
    void noteIfExits(ExecutionContext context) {
        if (!context.isBlocked() || !ForeignWait.isExit(context.thread.getStackTrace())) return;
        exiting.add(context);
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine != null && coroutine.takeUnderWay()) drain.left();
    }

    private boolean isExiting(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null && exiting.contains(context);
    }

    /**
     * Called when a coroutine is about to suspend in the final phase. Throws, unless it is a service coroutine or
     * {@link #MAX_REFUSALS} was exceeded with it.
     */
    void refuseToSuspend(CoroutineImpl<?> self) {
        if (self.isInternal() || self.is(CoroutineFlags.LEFT_WAITING)) return;
        if (loop.agenda.alive < fewestAlive) {
            fewestAlive = loop.agenda.alive;
            refusals = 0;
        }
        if (++refusals > MAX_REFUSALS) {
            self.set(CoroutineFlags.LEFT_WAITING);
            refusals = 0; // the others have not been refused too often
            return;
        }
        throw new AsyncCancellation("the runtime ends: coroutine " + self.label() + " can't wait any more");
    }

    // ---- drain

    /** Starts a graceful shutdown; a second call does nothing. In a coroutine, as interrupts may meet locks. */
    void shutDown(AsyncCancellation reason) {
        if (isShuttingDown() || afterDrain != null) return;
        loop.scheduler.takeArrivals(); // tasks may be among them
        Duration limit = loop.settings.drainTimeout();
        if (limit.isZero() || !drain.isNeeded()) {
            shutDownNow(reason);
            return;
        }
        afterDrain = reason;
        try {
            FaultPoint.pass();
            deadline = after(
                    limit,
                    () -> loop.inService(
                            () -> giveUpDrain("was still under way after " + seconds(limit) + " s (drainTimeout)")));
            drain();
        } catch (Throwable noMemory) {
            loop.errors.atEnd(noMemory);
            shutDownNow(reason);
        }
    }

    /** Starts a drain that only {@link #shutDownNow} ends. In a coroutine. */
    void drainWithParent(Runnable whenDone) {
        if (isShuttingDown()) {
            whenDone.run();
            return;
        }
        parentsDrains.add(whenDone);
        drain();
    }

    /** Begins to drain, unless that has begun already. */
    private void drain() {
        if (phase == Phase.RUNNING) {
            phase = Phase.DRAINING;
            drain.begin();
            // Whoever has asked for this by System.exit never returns.
            for (CoroutineImpl<?> coroutine : loop.scopes.coroutines())
                if (coroutine.isUnderWay() && coroutine.context != null) noteIfExits(coroutine.context);
        }
        nothingUnderWay();
    }

    /** Ends the drain soon, if by then nothing is under way. */
    void nothingUnderWay() {
        loop.inService(() -> {
            if (phase != Phase.DRAINING || !drain.isIdle()) return;
            if (afterDrain != null) shutDownNow(afterDrain);
            else tellParent();
        });
    }

    private void tellParent() {
        while (!parentsDrains.isEmpty()) parentsDrains.removeFirst().run();
    }

    private void leaveDrain() {
        drain.end();
        if (deadline != null) deadline.dispose();
        tellParent();
    }

    /** Ends the drain, although there is work under way. */
    private void giveUpDrain(String why) {
        if (phase != Phase.DRAINING) return;
        loop.happened("drain", 0, "the drain has ended although work " + why);
        reportUnderWay(why);
        shutDownNow(Objects.requireNonNull(afterDrain));
    }

    private void reportUnderWay(String why) {
        List<String> lines = new ArrayList<>();
        for (CoroutineImpl<?> coroutine : loop.scopes.coroutines())
            if (coroutine.isUnderWay()) lines.add(coroutine.info());
        int elsewhere = drain.underWay() - lines.size();
        if (elsewhere > 0) lines.add("on other threads of this run: " + elsewhere);
        loop.settings
                .diagnostics()
                .accept("The drain ends, and all coroutines are cancelled, although work " + why + ":" + listed(lines));
    }

    // ---- cancellation

    /** Starts a shutdown without a drain, or ends its drain. In a coroutine, as interrupts may meet locks. */
    void shutDownNow(AsyncCancellation reason) {
        if (isShuttingDown()) return;
        phase = Phase.SHUTTING_DOWN;
        this.reason = reason;
        try {
            FaultPoint.pass();
            leaveDrain();
            deadline = after(loop.settings.shutdownTimeout(), () -> loop.inService(this::endWithoutWaiting));
            cancelAll(reason);
        } catch (Throwable noMemory) {
            loop.errors.unhandled(noMemory); // some coroutines have not been cancelled
        }
    }

    private TimerEvent after(Duration time, Runnable action) {
        TimerEvent timer = loop.timers.oneShot(time);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                if (error == null) action.run();
            }
        });
        timer.start();
        return timer;
    }

    /** Begins the final phase: the coroutines that are left are unwound and can't wait. In a coroutine. */
    void endWithoutWaiting() {
        if (isOver()) return;
        phase = Phase.FINAL;
        loop.remoteQueue.refuseTasks();
        try {
            FaultPoint.pass();
            leaveDrain();
            after(SERVICE_GRACE, () -> leavesService = true);
            loop.discardMicrotasks();
            cancelAll(new AsyncCancellation("the runtime ends"));
        } catch (Throwable noMemory) {
            loop.errors.atEnd(noMemory);
            abandon();
        }
    }

    /**
     * As {@link #endWithoutWaiting}, but cancels nothing, as there may be no memory for a coroutine that does it. What
     * is ready does not run. Takes no memory.
     */
    void abandon() {
        phase = Phase.ABANDONED;
        loop.agenda.drop();
        loop.discardMicrotasks();
    }

    /**
     * The cancellation that all coroutines got. A coroutine that must begin after that gets it too. Null unless a
     * graceful shutdown has begun.
     */
    @Nullable
    AsyncCancellation reason() {
        return reason;
    }

    private void cancel(CoroutineImpl<?> coroutine, AsyncCancellation reason) {
        FaultPoint.pass();
        ExecutionContext context = coroutine.context;
        if (coroutine.mustRun()) return;
        if (context != null) noteIfExits(context);
        if (!isExiting(coroutine)) coroutine.forceCancel(reason);
    }

    private void cancelAll(AsyncCancellation reason) {
        exiting.clear();
        for (CoroutineImpl<?> coroutine : loop.scopes.coroutines()) {
            try {
                cancel(coroutine, reason);
            } catch (Throwable e) {
                loop.errors.unhandled(e); // the others are cancelled all the same
            }
        }
    }

    // ---- nothing left to run, and nothing that could change that

    /** Called in the loop's frame when the loop could only wait for ever. True if there is something to run now. */
    boolean detectDeadlock() {
        int waiting = loop.agenda.alive - exiting.size();
        if (isOver()) {
            if (phase == Phase.FINAL && waiting > 0 && waiting < fewestLeft) {
                // JDK code can't be refused to park a coroutine, also one that has caught its cancellation.
                fewestLeft = waiting;
                return soon(() -> cancelAll(new AsyncCancellation("the runtime ends")));
            }
            noteSurvivors();
            return phase == Phase.FINAL && startFinalWork();
        }
        if (waiting > 0) {
            if (stallActions.anyLeft()) return soon(stallActions::runAll);
            if (phase == Phase.DRAINING && afterDrain != null)
                return soon(() -> giveUpDrain("waits for what can't come any more"));
            // Waiting for a coroutine that is in System.exit is no deadlock, as the process ends: no report.
            boolean first = !deadlockResolved && exiting.isEmpty();
            deadlockResolved = true;
            return soon(first ? this::resolveDeadlock : this::endWithoutWaiting);
        }
        if (startFinalWork()) return true;
        if (deadline != null) deadline.dispose();
        return false;
    }

    private boolean soon(Runnable job) {
        loop.inService(job);
        return true;
    }

    /** Starts what runs only at the end of a run; false if there is nothing left of it. */
    private boolean startFinalWork() {
        return loop.errors.reportUnobserved()
                || loop.scopes.closeForgotten()
                || cleanups.start()
                || loop.errors.unawaited.reportAll();
    }

    private void resolveDeadlock() {
        List<CoroutineImpl<?>> waiting = loop.scopes.coroutines();
        String report = DeadlockReport.of(loop.agenda.activeEvents.count(), waiting);
        if (loop.settings.deadlockReports()) loop.settings.diagnostics().accept(report);
        loop.errors.atEnd(new DeadlockError(report));
        String who = waiting.size() == 1 ? "1 coroutine waits" : waiting.size() + " coroutines wait";
        var reason = new AsyncCancellation("deadlock: " + who + ", and nothing can change that");
        for (CoroutineImpl<?> coroutine : waiting) coroutine.forceCancel(reason);
    }

    private void noteSurvivors() {
        survivors.clear();
        try {
            for (CoroutineImpl<?> coroutine : loop.scopes.coroutines())
                if (!isExiting(coroutine)) survivors.add(coroutine.info());
        } catch (OutOfMemoryError full) {
            // The list has those that were noted before.
        }
    }

    /** Writes the coroutines that did not end to the diagnostics. After the loop's end, on its thread. */
    void reportSurvivors() {
        if (survivors.isEmpty()) return;
        int count = survivors.size();
        String text = count + (count == 1 ? " coroutine was abandoned, as it" : " coroutines were abandoned, as they")
                + " did not end when told to (the shutdown timeout is "
                + seconds(loop.settings.shutdownTimeout()) + " s):" + listed(survivors);
        try {
            ReportThread.write("trueasync-report", loop.settings.diagnostics(), text);
        } catch (OutOfMemoryError full) {
            // No thread can be had for the report. survivors() still names them.
        }
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    private static String listed(List<String> lines) {
        var text = new StringBuilder();
        for (String line : lines.subList(0, Math.min(lines.size(), MAX_SHOWN)))
            text.append("\n  ").append(line);
        if (lines.size() > MAX_SHOWN)
            text.append("\n  ... and ").append(lines.size() - MAX_SHOWN).append(" more");
        return text.toString();
    }

    /** Releases what outlives all coroutines. In the loop's frame. */
    void release() {
        for (Runnable release : releases) release.run(); // not a lambda: with a full heap it could not be linked
    }

    /** A line for each coroutine that did not end although it was cancelled. */
    List<String> survivors() {
        return survivors;
    }
}
