package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.AdaptiveSpin;
import org.trueasync.internal.queue.Prefetch;
import org.trueasync.spi.EndOfRun;

/**
 * The loop's frame: the loop thread's own shallow stack. It mounts the execution contexts, calls the reactor, and
 * chooses what runs next when the tick of a coroutine has chosen nothing. It must not meet a lock, see
 * {@link Loop}.
 */
final class EventLoop {
    /** The number of failures in a row after which the run is abandoned. */
    private static final int ENOUGH_FAILURES = 5;

    /** The number of failures in a row after which the loop ends. */
    private static final int MAX_FAILURES = 20;

    private final Loop loop;
    private final Prefetch prefetch = new Prefetch() {
        @Override
        protected int readAhead(@Nullable Object entry) {
            if (!(entry instanceof CoroutineImpl<?> coroutine)) return 0;
            ExecutionContext context = coroutine.context;
            return context == null ? 0 : VirtualThreads.lookAt(context.thread);
        }
    };
    private final AdaptiveSpin spin;
    private final Service service;
    private boolean cutOff;

    EventLoop(Loop loop) {
        this.loop = loop;
        this.service = new Service(loop);
        // With virtual time the loop never sleeps, so it does not spin either.
        int processors = loop.reactor.isTimeVirtual() ? 1 : Runtime.getRuntime().availableProcessors();
        spin = new AdaptiveSpin(processors) {
            @Override
            protected boolean hasArrived() {
                return !loop.remoteQueue.isEmpty();
            }
        };
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
                if (cutOff) throw e;
                loop.errors.unhandled(e);
                // So many failures: an orderly end can't be expected.
                if (++failures >= ENOUGH_FAILURES) loop.shutdown.abandon();
            }
        }
    }

    /** True if the reactor has ended the run, and everything stays where it is. */
    boolean isCutOff() {
        return cutOff;
    }

    /** Ends the service. After the run. */
    void stop() {
        service.retire();
    }

    /** Chooses something and runs it. False at the end of the run. */
    private boolean step() {
        Object entry = choose();
        if (entry == null) return false;
        prefetch.from(loop.agenda.queue);
        if (entry instanceof CoroutineImpl<?> coroutine) mount(coroutine);
        else if (entry instanceof ExecutionContext context) mount(context, context.coroutine);
        else runLibraryThread((Runnable) entry);
        return true;
    }

    private void runLibraryThread(Runnable task) {
        if (loop.mountBarrier.isWanted()) loop.mountBarrier.await();
        loop.current = null;
        loop.agenda.libraryThreads.run(task);
        loop.sockets.left();
    }

    private @Nullable Object choose() {
        Object chosen = loop.agenda.takeNext();
        return chosen != null ? chosen : tick();
    }

    private void mount(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        if (context == null) {
            context = loop.contexts.take();
            if (context == null) context = newContext(coroutine);
            if (context == null) return;
            coroutine.context = context;
            context.coroutine = coroutine;
        } else if (context.isBlocked()) {
            JdkWait.skipTurn(coroutine);
            return;
        } else if (context.state == ExecutionContext.READY && JdkWait.needsEnter(coroutine)) {
            service.enter(coroutine);
            return;
        }
        mount(context, coroutine);
    }

    private void mount(ExecutionContext context, @Nullable CoroutineImpl<?> coroutine) {
        if (loop.mountBarrier.isWanted()) loop.mountBarrier.await();
        loop.current = coroutine;
        if (coroutine != null) Turns.begins(coroutine, loop);
        if (context.state == ExecutionContext.READY && coroutine != null) JdkWait.returns(coroutine);
        context.mount();
        if (context.state == ExecutionContext.RUNNING) service.parked(context);
        else if (context.state == ExecutionContext.READY) service.left(context.coroutine);
    }

    private @Nullable ExecutionContext newContext(CoroutineImpl<?> coroutine) {
        try {
            FaultPoint.pass();
            ExecutionContext context = new ExecutionContext(loop, false);
            loop.counters.contextsCreated++;
            return context;
        } catch (Throwable e) {
            if (coroutine.isInternal()) {
                service.notBegun(coroutine);
                throw e;
            }
            coroutine.failUnstarted(e);
            return null;
        }
    }

    /** The loop's side of the tick: finds what runs next, and waits if there is nothing. Null at the end of the run. */
    private @Nullable Object tick() {
        loop.current = null;
        for (; ; ) {
            loop.scheduler.takeArrivals();
            CoroutineImpl<?> draining = service.takeForMicrotasks();
            if (draining != null) return draining;
            if (loop.scheduler.takePollDue() || (!loop.agenda.isEmpty() && loop.clock.isDue())) {
                poll(false);
                continue;
            }
            CoroutineImpl<?> serving = service.takeIfReady();
            if (serving != null) return serving;
            service.microtasksMayGoOn();
            Object ready = loop.scheduler.pollRunQueue();
            if (ready != null) return ready;
            if (loop.agenda.isEmpty() && waitOrEnd()) return null;
        }
    }

    /**
     * Waits or polls, as nothing is ready. True if nothing can become ready any more, so that this is the end of the
     * run.
     */
    private boolean waitOrEnd() {
        if (!loop.shutdown.isOver() && mayGetMore()) {
            if (loop.sockets.isPollWorthwhile()) {
                poll(false);
                return false;
            }
            shrinkPool();
            loop.load.waits(loop.reactor.nanoTime());
            if (!spin.await(loop.timers.nextDeadline())) poll(true);
            else loop.load.resumes(loop.reactor.nanoTime());
            return false;
        }
        if (service.isBusy() && !loop.shutdown.leavesService()) {
            loop.load.waits(loop.reactor.nanoTime());
            poll(true);
            return false;
        }
        poll(false);
        return loop.agenda.isEmpty() && (loop.shutdown.isOver() || !mayGetMore()) && !loop.shutdown.detectDeadlock();
    }

    private boolean mayGetMore() {
        return loop.agenda.mayGetMore(loop.shutdown.isShuttingDown(), loop.shutdown.exiting());
    }

    private void poll(boolean mayWait) {
        loop.counters.reactorTurns++;
        if (loop.ring != null) loop.ring.turn(0);
        try {
            boolean waits = !loop.sockets.confirm(mayWait) && mayWait;
            if (waits) {
                loop.reactor.alarm(loop.timers.nextDeadline());
                waits = loop.remoteQueue.beginPoll();
            }
            executeReactor(waits);
            if (mayWait) loop.awake();
            if (waits) spin.slept(!loop.remoteQueue.isEmpty());
            loop.timers.fireDue();
        } catch (Throwable e) {
            if (e instanceof EndOfRun end && end.isOf(loop.reactor)) cutOff = true;
            if (cutOff) throw e;
            loop.errors.unhandled(e);
        }
        long now = loop.reactor.nanoTime();
        loop.clock.reactorRan(now);
        loop.load.polled(now, loop.agenda.queue.position(), loop.agenda.queue.size());
    }

    private void executeReactor(boolean waits) {
        try {
            loop.reactor.execute(!waits);
        } finally {
            loop.remoteQueue.endPoll();
        }
    }

    private void shrinkPool() {
        ExecutionContext surplus;
        while ((surplus = loop.contexts.takeSurplus(loop.reactor.nanoTime())) != null) surplus.retire();
    }
}
