package org.trueasync.internal.kernel;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Context;
import org.trueasync.Coroutine;
import org.trueasync.internal.bridge.Owner;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.event.EventCount;
import org.trueasync.internal.event.Holder;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.Lineage;
import org.trueasync.internal.failure.UnobservedOutcomes;
import org.trueasync.internal.foreign.LoopSockets;
import org.trueasync.internal.foreign.TimedPark;
import org.trueasync.internal.foreign.Watches;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.MountBarrier;
import org.trueasync.internal.jdk.StackHeadroom;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.ChosenQueue;
import org.trueasync.internal.queue.IdlePool;
import org.trueasync.internal.queue.RunQueue;
import org.trueasync.internal.recorder.CoroutineEvents;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Drain;
import org.trueasync.internal.task.Settings;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.LoopLoad;
import org.trueasync.internal.time.ReactorClock;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.spi.Reactor;

/*
 * One runtime's event loop and scheduler.
 *
 * Control is handed on in two places. The TICK runs in the context of the coroutine that suspends or has ended. It
 * takes what other threads have brought, runs the microtasks, and takes the head of the run queue. That is mounted
 * next, which costs one switch, or none if one coroutine has just ended and the next has not begun. The LOOP'S FRAME is
 * the loop thread's own shallow stack. Every context is mounted from there. Control falls back to it when the tick has
 * found nothing to run, a poll is due, or the service has work. The reactor polls only there, so native code calls back
 * only there: a stack overflow inside a native callback can't be survived, and a coroutine may suspend at any depth.
 * Other runtimes have a scheduler coroutine in place of the frame; falling back to the frame costs no switch of its
 * own.
 *
 * The frame must not meet a lock: the lock's holder may be a coroutine that only this thread can run. Work that may
 * meet a lock (reports, handlers, interrupts, microtasks while no coroutine runs) is done by the Service, in coroutines
 * that wait like any other.
 */
/**
 * A runtime's event loop. Its public methods are the door for channels, scopes, pools, files and all other packages;
 * the rest is the kernel's own. {@link Runtimes#here} finds the one of the calling thread. Loop thread only, where
 * nothing else is said.
 */
public final class Loop implements Owner {
    /**
     * The number of calls in a row that are served without a switch: together they cost about as much as a switch, and
     * still take almost no time.
     */
    public static final int SERVED_IN_A_ROW = 128;

    /**
     * Which core a loop is, for messages.
     *
     * @param program the same object for all cores of a program
     * @param index the core's number
     */
    public record Core(Object program, int index) {}

    final Settings settings;
    private volatile String name;
    /** Changes only if several loops share a thread, see {@link Runtimes.Share}. */
    Thread loopThread = Thread.currentThread();

    final @Nullable ClassLoader classLoader = loopThread.getContextClassLoader();
    final Reactor reactor;
    final Continuations continuations = new Continuations(this::continueWith, this::post);
    final TimerHeap timers;
    final Watches watches;
    final Agenda agenda;
    final Scheduler scheduler;
    /** Lets other threads look at stacks that are not mounted. */
    final MountBarrier mountBarrier = new MountBarrier();

    final Counters counters = new Counters();
    final ScopeForest scopes = new ScopeForest();

    final CoroutineScope mainScope = CoroutineScope.main(this);
    final UnhandledErrors errors;
    final Shutdown shutdown;

    final LoopSockets sockets;
    final TimedPark.Timekeeper timekeeper;
    final Spawner spawner;
    final ServedCalls servedCalls = new ServedCalls(this);
    final IdlePool<ExecutionContext> contexts;
    final ReactorClock clock;
    final LoopLoad load;

    private @Nullable Object[] locals = new Object[4];

    private volatile @Nullable Core core;

    final RemoteQueue remoteQueue = new RemoteQueue(this);

    /** The coroutine whose code runs now; null in the loop's frame and in virtual threads of libraries. */
    @Nullable
    CoroutineImpl<?> current;

    /** See {@link #noteHeldWeakly}. */
    final Set<Object> weaklyHeld = Collections.newSetFromMap(new WeakHashMap<>());

    /** The main coroutine. */
    @Nullable
    CoroutineImpl<?> main;

    /** What it does is written there; null for nowhere. */
    @Nullable
    TurnRing ring;

    private @Nullable Consumer<Coroutine<?>> ringListener;

    Loop(Settings settings, Reactor reactor) {
        this.settings = settings;
        this.name = settings.name();
        this.reactor = reactor;
        var activeEvents = new EventCount(this::requireEventsHere);
        RunQueue queue = settings.runOrder() == null ? new RunQueue() : new ChosenQueue(settings.runOrder());
        this.agenda = new Agenda(queue, remoteQueue::isEmpty, activeEvents);
        this.scheduler = new Scheduler(this, agenda);
        this.timers = new TimerHeap(reactor::nanoTime, activeEvents, continuations);
        this.watches = new Watches(reactor, activeEvents);
        this.contexts = new IdlePool<>(settings.minContexts(), settings.maxContexts());
        this.clock = new ReactorClock(reactor);
        this.load = new LoopLoad(reactor.nanoTime());
        this.errors = new UnhandledErrors(this);
        this.spawner = new Spawner(this);
        this.shutdown = new Shutdown(this);
        this.timekeeper = new TimedPark.Timekeeper(timers, reactor);
        this.sockets = new LoopSockets(reactor, clock, JdkWait.waitersOn(this));
    }

    // ---- checks before a suspension

    /** Fails unless this coroutine runs now, on the loop thread, and with stack enough left to suspend. */
    CoroutineImpl<?> requireRunning(CoroutineImpl<?> self) {
        StackHeadroom.require();
        if (current != self || !isLoopThread()) throw Misuse.notTheRunningCoroutine(self, this);
        return self;
    }

    /** Fails if the running coroutine is in scheduler context. Also throws in the final phase of a shutdown. */
    void requireMaySuspend(CoroutineImpl<?> self) {
        if (isInSchedulerContext(self))
            throw agenda.microtasks.isDraining()
                    ? Misuse.schedulerContext("a microtask")
                    : Misuse.schedulerContext(self);
        if (shutdown.isOver()) shutdown.refuseToSuspend(self);
    }

    /**
     * True if code that may not wait runs in the place of the running coroutine: microtasks, its switch handlers, what
     * other threads have brought to its tick, callbacks of its end, or a job of the service.
     */
    boolean isInSchedulerContext(CoroutineImpl<?> self) {
        return agenda.microtasks.isDraining()
                || self.isWaitingOrQueued()
                || self.refusesWaits()
                || self.isCompleted()
                || self.isInternal()
                || self.isServed();
    }

    // ---- its coroutines

    void spawnFollowUp(Callable<?> task) {
        spawner.spawnFirst(spawner.scopeOfSpawner(), CoroutineKind.FOLLOW_UP, task);
    }

    void beginDrainHook(Body hook) {
        spawner.spawn(mainScope, CoroutineKind.WORK, "drain hook", Tasks.task(hook));
    }

    /** Adds a new coroutine to its scope and to the counts. */
    void joined(CoroutineImpl<?> coroutine) {
        coroutine.scope().joined(coroutine);
        agenda.alive++;
        counters.spawned++;
        if (coroutine.kind().isDrained) {
            coroutine.setUnderWay();
            shutdown.drain.entered();
        }
        if (CoroutineEvents.spawn()) CoroutineRecords.spawned(coroutine);
        if (ring != null && settings.spawnSites()) Turns.spawned(coroutine, ring);
    }

    void ended(CoroutineImpl<?> coroutine) {
        if (!coroutine.isInternal()) agenda.alive--;
        if (coroutine.takeUnderWay()) shutdown.drain.left();
    }

    // ---- other threads

    boolean isLoopThread() {
        return VirtualThreads.carrier() == loopThread;
    }

    /** Fails on other threads, which may not look at the stacks of coroutines: the loop might mount one meanwhile. */
    void requireLoopThreadToInspect(String call) {
        if (!isLoopThread()) throw Misuse.foreignInspection(call, this);
    }

    private void requireEventsHere() {
        if (!isLoopThread()) throw Misuse.foreignThread("Event.start or stop", this);
    }

    /** Runs an action in a service coroutine, where it may meet a lock. Dropped once the run has ended. Any thread. */
    void postToService(Runnable action) {
        post(() -> agenda.jobs.add(action));
    }

    // ---- the end

    void failedAtEnd(Throwable thrown) {
        if (!shutdown.lineage.isNoFailure(thrown)) errors.atEnd(thrown);
    }

    /**
     * Calls the {@link #atStop} actions and ends all idle contexts. From now on the JDK's scheduler gets what JDK code
     * has parked and what other threads bring. In the loop's frame, after the loop.
     *
     * @param service ends the service
     */
    void stop(Runnable service) {
        remoteQueue.stop();
        timekeeper.handOver();
        sockets.stop();
        shutdown.release();
        service.run();
        ExecutionContext idle;
        while ((idle = contexts.takeAny()) != null) idle.retire();
        discardMicrotasks();
        Object entry;
        while ((entry = agenda.takeAny()) != null) {
            if (entry instanceof ExecutionContext context) context.orphan();
            else if (!(entry instanceof CoroutineImpl<?>)) VirtualThreads.runOrphan((Runnable) entry);
        }
    }

    /** Cancels and releases the microtasks that have not run. */
    void discardMicrotasks() {
        agenda.microtasks.discard(errors::atEnd);
    }

    /** It has waited, or may have, and goes on. */
    void awake() {
        long now = reactor.nanoTime();
        load.resumes(now);
        clock.awake(now);
    }

    boolean isStopped() {
        return remoteQueue.isStopped();
    }

    // ---- the door: its parts

    /** What it was built from. Any thread. */
    public Settings settings() {
        return settings;
    }

    /** Its name in all reports, which no other one has that runs. Any thread. */
    public String name() {
        return name;
    }

    void name(String unique) {
        name = unique;
    }

    /** The runs above this one. */
    public Lineage lineage() {
        return shutdown.lineage;
    }

    /** Where descriptors are watched. */
    public Reactor reactor() {
        return reactor;
    }

    /** Timers of this loop. */
    public TimerHeap timers() {
        return timers;
    }

    /** How many events can wake a coroutine; while there is one the run goes on. */
    public EventCount activeEvents() {
        return agenda.activeEvents;
    }

    /** Runs the code that follows events. */
    public Continuations continuations() {
        return continuations;
    }

    /** Outcomes that no code has taken so far. */
    public UnobservedOutcomes unobserved() {
        return errors.unawaited;
    }

    /** What is tried before a deadlock is considered. */
    public StallActions stallActions() {
        return shutdown.stallActions;
    }

    /** Writes what it does into a ring from now on. */
    public void record(TurnRing turns) {
        ring = turns;
        clock.record(turns);
        load.record(turns);
    }

    /** See {@link TurnRing#happened}. Any thread; throws nothing. */
    public void happened(String limit, long nanos, String text) {
        try {
            if (ring != null) ring.happened(limit, nanos, text);
        } catch (Throwable unrecorded) {
            // no memory is left for it, for instance: what it tells of matters more
        }
    }

    /** Which core it is, or null. Any thread. */
    public @Nullable Core core() {
        return core;
    }

    /** Says which core it is from now on; null for none. */
    public void setCore(@Nullable Core core) {
        this.core = core;
    }

    // ---- the door: the calling thread

    /** Fails unless called on the loop thread. */
    public void requireLoopThread(String call) {
        StackHeadroom.require();
        if (!isLoopThread()) throw Misuse.foreignThread(call, this);
    }

    @Override
    public void requireLoopThreadOrEnd(String call) {
        if (!isLoopThread() && !isStopped()) throw Misuse.foreignThread(call, this);
    }

    /** True if it is the thread that the loop runs on. Any thread. */
    public boolean isLoopOn(Thread thread) {
        return thread == loopThread;
    }

    /**
     * The running coroutine.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if none runs
     */
    public CoroutineImpl<?> requireCurrent(String call) {
        CoroutineImpl<?> running = current;
        if (running == null) throw Misuse.noCoroutine(call, this);
        return running;
    }

    /** The running coroutine, for what it takes and will give back itself. */
    public Holder requireHolder(String call) {
        return requireCurrent(call).asHolder();
    }

    /** The coroutine whose code runs now, or null. */
    public @Nullable CoroutineImpl<?> running() {
        return current;
    }

    /**
     * True if the code of a coroutine runs on the loop now, and not the loop's own or that of a library's virtual
     * thread.
     */
    public boolean runsCoroutine() {
        return current != null;
    }

    /**
     * True if the code that calls this may wait: a coroutine's, outside scheduler context and not between the
     * preparation of a wait and its end. Whether it is pinned shows only when it tries to, see {@link #isPinned}.
     */
    public boolean maySuspend() {
        CoroutineImpl<?> self = current;
        return self != null
                && isLoopThread()
                && !isInSchedulerContext(self)
                && !self.isPreparing()
                && !shutdown.isOver();
    }

    /**
     * True if the wait that was just tried has thrown this because the coroutine is pinned.
     *
     * @param thrown by the wait
     */
    public boolean isPinned(Throwable thrown) {
        return servedCalls.isPinned(thrown);
    }

    // ---- the door: work for the loop

    /**
     * Runs an action in the loop's frame or in a tick. The action may only queue things; it is dropped once the run has
     * ended. Any thread, also one that must not wait; for what can't come without end, as the loop waits for it or has
     * made it.
     */
    public void post(Runnable action) {
        remoteQueue.post(action, null);
    }

    /**
     * As {@link #post(Runnable)}, for an action that must not be dropped. Any thread.
     *
     * @param action may only queue things
     * @param orphan runs on a thread of the JDK's instead, if the run has ended
     */
    public void post(Runnable action, Runnable orphan) {
        remoteQueue.post(action, orphan);
    }

    /**
     * Sets who is told, in a service coroutine, when a wait has closed a ring of waits: each of its coroutines waits
     * for the next one.
     *
     * @param listener gets the coroutine whose wait has closed it
     */
    public void whenRingCloses(Consumer<Coroutine<?>> listener) {
        ringListener = listener;
    }

    void ringClosed(CoroutineImpl<?> by) {
        Consumer<Coroutine<?>> listener = ringListener;
        if (listener != null) inService(() -> listener.accept(by));
    }

    /**
     * As {@link #post(Runnable, Runnable)}, for a call of the program's own, which may come without end: a caller that
     * brings more than the loop takes in is slowed down. A thread is parked, a coroutine of another runtime lets others
     * run there; what such a wait of it would throw is thrown by its next one. Any thread that holds no lock which a
     * loop may need.
     */
    public void bring(Runnable action, Runnable orphan) {
        remoteQueue.bring(action, orphan);
    }

    /** As {@link #bring(Runnable, Runnable)}, for an action that is dropped once the run has ended. */
    public void bring(Runnable action) {
        bring(action, () -> {});
    }

    /**
     * Runs an action in a service coroutine.
     *
     * @param action may wait for a lock, but makes no wait of ours
     */
    public void inService(Runnable action) {
        agenda.jobs.add(action);
    }

    /** Sends a report to the diagnostics sink, from a service coroutine. */
    public void report(String text) {
        agenda.jobs.add(() -> settings.diagnostics().accept(text));
    }

    // ---- the door: new coroutines

    /**
     * Queues a new coroutine at the tail, in the scope of the running one; it never begins before the caller suspends
     * or ends.
     *
     * @param name which reports show, or null
     * @param task of any shape, see {@link Tasks#task}
     * @throws org.trueasync.AsyncException if the scope of the running coroutine has ended
     */
    public <T> CoroutineImpl<T> spawn(CoroutineKind kind, @Nullable String name, Object task) {
        return spawner.spawn(spawner.scopeOfSpawner(), kind, name, task);
    }

    /**
     * Runs the code that follows an event in a coroutine of its own: it is the user's code, which may meet a lock, and
     * where events fire nothing may wait. The coroutine belongs to the main scope, whatever has made the event fire.
     */
    public void continueWith(Runnable action) {
        spawner.spawn(mainScope, CoroutineKind.FOLLOW_UP, null, Tasks.task(action));
    }

    /**
     * Runs a handler in a coroutine of the main scope, so that the end of another scope can't keep it from running. The
     * caller has to look at what it throws.
     *
     * @param handler queued at the tail
     */
    public <T> CoroutineImpl<T> spawnHandler(Callable<T> handler) {
        CoroutineImpl<T> coroutine = spawner.spawn(mainScope, CoroutineKind.FOLLOW_UP, null, handler);
        coroutine.markObserved();
        return coroutine;
    }

    /** What the running coroutine hands down, for coroutines that are spawned later; null if there is nothing. */
    public @Nullable Inheritance inheritance() {
        return spawner.inheritance();
    }

    // ---- the door: fairness of calls that are served without a switch

    /**
     * For a call that may be served without a switch; asked before it takes effect. True once a coroutine has made
     * {@link #SERVED_IN_A_ROW} of them in a row: then {@link #giveWay} must follow as soon as the call has taken
     * effect, so that a loop of such calls holds up no other coroutine. Calls are counted, and no clock is asked: a
     * program goes the same way each time it is run.
     *
     * <p>False where nothing can suspend, as such calls are served there too: in callbacks and microtasks, in virtual
     * threads of libraries, and between the preparation of a wait and its end.
     *
     * @throws AsyncCancellation instead of true, if the running coroutine was cancelled: nothing has taken effect yet
     */
    public boolean isOthersTurn() {
        return servedCalls.isOthersTurn();
    }

    /**
     * Lets the others run after a call that has taken effect. What becomes due meanwhile, a cancellation for instance,
     * is thrown by the next call: this one has succeeded, and its value is not lost.
     */
    public void giveWay() {
        servedCalls.giveWay();
    }

    /**
     * As {@link #giveWay()}, for a call after which the coroutine is to rest. Only where {@link #maySuspend}.
     *
     * @param nanos for how long, above 0
     * @return false if that is over before, as the next call has something to throw, or the coroutine is pinned
     */
    public boolean rest(long nanos) {
        return servedCalls.rest(nanos);
    }

    /**
     * For a step that has no effect of its own: counts it as a call, and lets the others run when it is their turn.
     *
     * @throws AsyncCancellation if the running coroutine was cancelled
     */
    public void shareLoop() {
        servedCalls.shareLoop(1);
    }

    /**
     * As {@link #shareLoop()}, for a step that takes as long as several calls.
     *
     * @param calls how many
     */
    public void shareLoop(int calls) {
        servedCalls.shareLoop(calls);
    }

    // ---- the door: scopes

    /** The scope of the running coroutine; the main one where none runs. */
    public CoroutineScope currentScope() {
        return spawner.scopeOfSpawner();
    }

    /** The scope of main and of everything that has no other. */
    public CoroutineScope mainScope() {
        return mainScope;
    }

    /** The context that everything in this runtime sees. */
    public Context rootContext() {
        return mainScope.context();
    }

    /** The coroutines that users see, by number. */
    public List<CoroutineImpl<?>> liveCoroutines() {
        return scopes.coroutines();
    }

    // ---- the door: errors

    /**
     * Keeps what hands over errors for which code may still ask. It is run when the run ends, and nobody will ask any
     * more.
     *
     * @param report may only queue things; must not throw
     */
    public void addLateReport(Runnable report) {
        errors.lateReports.add(report);
    }

    /** Removes a late report: its errors have been asked for or handed over. */
    public void removeLateReport(Runnable report) {
        errors.lateReports.remove(report);
    }

    /**
     * Reports a failure after 0.9 seconds, unless the error is asked for before.
     *
     * @param failed the coroutine that failed
     * @param error what it threw
     * @param due false once the error has been asked for
     */
    public void reportSoon(CoroutineImpl<?> failed, Throwable error, BooleanSupplier due) {
        errors.notices.add(due, () -> FailureText.ofGroup(failed, error));
    }

    // ---- the door: the end

    /** Starts a graceful shutdown, with its drain; a second call does nothing. In a coroutine. */
    public void shutDown(AsyncCancellation reason) {
        requireCurrent("Async.gracefulShutdown");
        shutdown.shutDown(reason);
    }

    /** As {@link #shutDown}, without a drain; ends one that goes on. In a coroutine. */
    public void shutDownNow(AsyncCancellation reason) {
        shutdown.shutDownNow(reason);
    }

    /** What is under way here, and what takes part in the drain. */
    public Drain drain() {
        return shutdown.drain;
    }

    /**
     * Begins a drain that lasts until {@link #shutDownNow}. In a coroutine.
     *
     * @param whenDone called once, when nothing is under way any more, or the drain has ended
     */
    public void drainWithParent(Runnable whenDone) {
        shutdown.drainWithParent(whenDone);
    }

    /** True once coroutines are being cancelled: what has not begun need not begin. False during the drain. */
    public boolean isShuttingDown() {
        return shutdown.isShuttingDown();
    }

    /** True once no coroutine may wait any more. */
    public boolean isOver() {
        return shutdown.isOver();
    }

    /** The coroutines that did not end; known once the run has ended. */
    public List<String> survivors() {
        return shutdown.survivors();
    }

    /**
     * As {@link org.trueasync.spi.Cleanup#atEnd}.
     *
     * @param action may wait
     * @return an entry for {@link #notAtEnd}
     */
    public Object atEnd(Body action) {
        return shutdown.cleanups.add(action);
    }

    /**
     * Removes an action from what is done at the end.
     *
     * @param entry what {@link #atEnd} returned
     */
    public void notAtEnd(Object entry) {
        shutdown.cleanups.remove(entry);
    }

    /**
     * Registers an action that releases something when the run is over, a resource of the process for instance.
     *
     * @param release called once, on the loop thread, when no coroutine runs any more; neither blocks nor throws
     */
    public void atStop(Runnable release) {
        shutdown.releases.add(release);
    }

    // ---- the door: state of other packages

    /**
     * Notes something to which the reactor, or the runtime itself, refers weakly, so that it is noticed when the
     * program loses it: a socket, a file. {@link StuckSearch} holds it, so that those references are not cleared.
     *
     * @param object refers to no coroutine but those that wait for it; is not kept by this
     */
    public void noteHeldWeakly(Object object) {
        weaklyHeld.add(object);
    }

    /** The value of a {@link LoopLocal}, which alone calls this. */
    public @Nullable Object local(int index) {
        return index < locals.length ? locals[index] : null;
    }

    /** Sets the value of a {@link LoopLocal}, which alone calls this. */
    public void local(int index, @Nullable Object value) {
        if (index >= locals.length) locals = Arrays.copyOf(locals, index + 4);
        locals[index] = value;
    }
}
