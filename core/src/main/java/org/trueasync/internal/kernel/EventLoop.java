package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.jdk.MountBarrier;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.AdaptiveSpin;
import org.trueasync.internal.queue.Prefetch;

/**
 * The loop's frame: the loop thread's own shallow stack. It mounts the execution contexts, calls the reactor, and
 * chooses what runs next when the tick of a coroutine has chosen nothing. It must not meet a lock, see
 * {@link Scheduler}.
 */
final class EventLoop {
    /** The number of failures in a row after which the run is abandoned. */
    private static final int ENOUGH_FAILURES = 5;

    /** The number of failures in a row after which the loop ends. */
    private static final int MAX_FAILURES = 20;

    private final Scheduler scheduler;
    private final Prefetch prefetch = new Prefetch() {
        @Override
        protected int readAhead(@Nullable Object entry) {
            if (!(entry instanceof CoroutineImpl<?> coroutine)) return 0;
            ExecutionContext context = coroutine.context;
            return context == null ? 0 : VirtualThreads.lookAt(context.thread);
        }
    };
    private final AdaptiveSpin spin;

    /** Lets other threads look at stacks that are not mounted. */
    final MountBarrier mountBarrier = new MountBarrier();

    /** A coroutine's tick has found that a poll is due. */
    private boolean pollDue;

    /** How many stacks in a row could not be made. */
    private int withoutStack;

    EventLoop(Scheduler scheduler) {
        this.scheduler = scheduler;
        // With virtual time the loop never sleeps, so it does not spin either.
        int processors =
                scheduler.reactor.isTimeVirtual() ? 1 : Runtime.getRuntime().availableProcessors();
        spin = new AdaptiveSpin(processors) {
            @Override
            protected boolean hasArrived() {
                return !scheduler.remoteQueue.isEmpty();
            }
        };
    }

    /** Has the loop's frame poll before it takes from the run queue. */
    void pollFirst() {
        pollDue = true;
    }

    /**
     * Runs until everything has ended. A failure here is exhausted memory or a bug of ours. The loop goes on
     * nevertheless, as no coroutine may be left where it is, but gives up after many failures in a row.
     */
    void run() {
        int failures = 0;
        while (failures < MAX_FAILURES) {
            try {
                if (!step()) return;
                failures = 0;
            } catch (Throwable e) {
                scheduler.errors.unhandled(e);
                // So many failures: an orderly end can't be expected.
                if (++failures >= ENOUGH_FAILURES) scheduler.shutdown.abandon();
            }
        }
    }

    /** Chooses something and runs it. False at the end of the run. */
    private boolean step() {
        Object entry = choose();
        if (entry == null) return false;
        prefetch.from(scheduler.queue);
        if (entry instanceof CoroutineImpl<?> coroutine) mount(coroutine);
        else if (entry instanceof ExecutionContext context) mount(context, context.coroutine);
        else runLibraryThread((Runnable) entry);
        return true;
    }

    private void runLibraryThread(Runnable task) {
        if (mountBarrier.isWanted()) mountBarrier.await();
        scheduler.current = null;
        scheduler.libraryThreads.run(task);
        scheduler.sockets.left();
    }

    private @Nullable Object choose() {
        Object chosen = scheduler.takeNext();
        return chosen != null ? chosen : tick();
    }

    private void mount(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        if (context == null) {
            context = scheduler.contexts.take();
            if (context == null) context = newContext(coroutine);
            if (context == null) return;
            coroutine.context = context;
            context.coroutine = coroutine;
        } else if (context.isBlocked()) {
            JdkPark.skipTurn(coroutine);
            return;
        } else if (context.state == ExecutionContext.READY && JdkPark.needsEnter(coroutine)) {
            scheduler.service.enter(coroutine);
            return;
        }
        mount(context, coroutine);
    }

    private void mount(ExecutionContext context, @Nullable CoroutineImpl<?> coroutine) {
        if (mountBarrier.isWanted()) mountBarrier.await();
        scheduler.current = coroutine;
        if (context.state == ExecutionContext.READY && coroutine != null) JdkPark.returns(coroutine);
        context.mount();
        if (context.state == ExecutionContext.RUNNING) JdkPark.parked(scheduler, context);
        else if (context.state == ExecutionContext.READY) JdkPark.left(scheduler, context.coroutine);
    }

    private @Nullable ExecutionContext newContext(CoroutineImpl<?> coroutine) {
        try {
            FaultPoint.pass();
            ExecutionContext context = new ExecutionContext(scheduler, false);
            scheduler.counters.contextsCreated++;
            withoutStack = 0;
            return context;
        } catch (Throwable e) {
            if (coroutine.isInternal()) {
                scheduler.service.notBegun(coroutine);
                throw e;
            }
            coroutine.failUnstarted(e);
            if (++withoutStack >= ENOUGH_FAILURES && e instanceof OutOfMemoryError && scheduler.isShuttingDown())
                scheduler.shutdown.abandon();
            return null;
        }
    }

    /** The loop's side of the tick: finds what runs next, and waits if there is nothing. Null at the end of the run. */
    private @Nullable Object tick() {
        scheduler.current = null;
        for (; ; ) {
            scheduler.takeArrivals();
            CoroutineImpl<?> draining = scheduler.service.takeForMicrotasks();
            if (draining != null) return draining;
            if (pollDue || (somethingToRun() && scheduler.clock.isDue())) {
                poll(false);
                continue;
            }
            CoroutineImpl<?> serving = scheduler.service.takeIfReady();
            if (serving != null) return serving;
            scheduler.service.microtasksMayGoOn();
            Object ready = scheduler.pollRunQueue();
            if (ready != null) return ready;
            if (!somethingToRun() && waitOrEnd()) return null;
        }
    }

    /**
     * Waits or polls, as nothing is ready. True if nothing can become ready any more, so that this is the end of the
     * run.
     */
    private boolean waitOrEnd() {
        if (!scheduler.shutdown.isOver() && canBeWoken()) {
            if (scheduler.sockets.isPollWorthwhile()) {
                poll(false);
                return false;
            }
            shrinkPool();
            scheduler.load.waits(scheduler.reactor.nanoTime());
            if (!spin.await(scheduler.timers.nextDeadline())) poll(true);
            else scheduler.load.resumes(scheduler.reactor.nanoTime());
            return false;
        }
        if (scheduler.service.isBusy() && !scheduler.shutdown.leavesService()) {
            scheduler.load.waits(scheduler.reactor.nanoTime());
            poll(true);
            return false;
        }
        poll(false);
        return !somethingToRun()
                && (scheduler.shutdown.isOver() || !canBeWoken())
                && !scheduler.shutdown.detectDeadlock();
    }

    private boolean somethingToRun() {
        return !scheduler.queue.isEmpty()
                || scheduler.microtasks.canDrain()
                || !scheduler.remoteQueue.isEmpty()
                || scheduler.service.hasWork();
    }

    /** True if anything that we can see, or must assume, could wake a coroutine or bring new work. */
    private boolean canBeWoken() {
        if (scheduler.shutdown.allHaveEnded()) return false;
        if (scheduler.activeEvents.count() > 0) return true;
        if (scheduler.alive() == 0) return false;
        return scheduler.remoteQueue.blocked() > scheduler.shutdown.exiting()
                || scheduler.libraryThreads.anyAlive()
                || LoopExecutor.reachable(scheduler);
    }

    private void poll(boolean mayWait) {
        scheduler.counters.reactorTurns++;
        pollDue = false;
        try {
            boolean waits = !scheduler.sockets.confirm(mayWait) && mayWait;
            if (waits) {
                scheduler.reactor.alarm(scheduler.timers.nextDeadline());
                waits = scheduler.remoteQueue.beginPoll();
            }
            executeReactor(waits);
            if (mayWait) scheduler.load.resumes(scheduler.reactor.nanoTime());
            if (waits) spin.slept(!scheduler.remoteQueue.isEmpty());
            scheduler.timers.fireDue();
        } catch (Throwable e) {
            scheduler.errors.unhandled(e);
        }
        long now = scheduler.reactor.nanoTime();
        scheduler.clock.reactorRan(now);
        scheduler.load.polled(now, scheduler.queue.position(), scheduler.queue.size());
    }

    private void executeReactor(boolean waits) {
        try {
            scheduler.reactor.execute(!waits);
        } finally {
            scheduler.remoteQueue.endPoll();
        }
    }

    private void shrinkPool() {
        ExecutionContext surplus;
        while ((surplus = scheduler.contexts.takeSurplus(scheduler.reactor.nanoTime())) != null) surplus.retire();
    }
}
