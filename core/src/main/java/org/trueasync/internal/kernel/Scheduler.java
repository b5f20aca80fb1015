package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Context;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.poll.Watches;
import org.trueasync.internal.recorder.CoroutineEvents;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.internal.unobserved.UnobservedOutcomes;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.MicrotaskQueue;
import org.trueasync.spi.Reactor;

/*
 * One runtime's scheduler.
 *
 * Two places hand control on. The TICK runs in the context of the coroutine that suspends or has ended: microtasks, then the head of the run
 * queue; what it finds is mounted next, at the price of one switch, or none where one coroutine has just ended and the next has not begun. The
 * LOOP'S FRAME, the loop thread's own shallow stack, is where every context is mounted from and where control falls back to when the tick
 * has found nothing to run or the reactor is due: native code is called from there alone, since a stack overflow inside a native callback can't
 * be survived and a coroutine may suspend at any depth. The frame is what other runtimes have a scheduler coroutine for; falling back to it costs
 * no switch of its own.
 *
 * The frame may not meet a lock: whoever holds it may be a coroutine that only this thread can run on. What may meet one (reports, handlers,
 * interrupts, microtasks while no coroutine runs) is done by the Service, in coroutines that wait like any other.
 */
public final class Scheduler {
    private static final int MICROTASKS_PER_TICK = 10_000;

    /** Enough to be worth a switch, few enough to be over in no time. */
    public static final int SERVED_IN_A_ROW = 128;

    /** What it was built from. */
    public final Settings settings;

    final Thread loopThread = Thread.currentThread();
    final @Nullable ClassLoader classLoader = loopThread.getContextClassLoader();
    public final Reactor reactor;
    public final ActiveEvents activeEvents = new ActiveEvents(this::requireEventsHere);
    public final Continuations continuations = new Continuations(this::continueWith, this::post);
    public final TimerHeap timers;
    final Watches watches;
    final MicrotaskQueue microtasks = new MicrotaskQueue();
    /** The user's, for every tick. */
    private final @Nullable Microtask heartbeat;

    final Counters counters = new Counters();
    final Consumer<String> diagnostics;
    /** Outcomes that nobody has taken so far. */
    public final UnobservedOutcomes unobserved;

    final ScopeForest scopes = new ScopeForest();

    final CoroutineScope mainScope = CoroutineScope.main(this);
    final MemoryReserve reserve = new MemoryReserve();
    final UnhandledErrors errors = new UnhandledErrors(this);
    final Shutdown shutdown = new Shutdown(this);
    final CleanupActions cleanups = new CleanupActions(this);
    /** What is tried before a deadlock is considered. */
    public final StallActions stallActions = new StallActions();

    final LibraryThreads libraryThreads = new LibraryThreads();
    final WaitCycles waitCycles = new WaitCycles(this);
    final NoProgress noProgress = new NoProgress(this);
    final EventLoop eventLoop = new EventLoop(this);
    final Spawner spawner;
    final Service service = new Service(this);
    final RunQueue queue;
    final ContextPool contexts;
    final ReactorClock clock;

    private final List<Runnable> releases = new java.util.ArrayList<>(2);

    /** The executors handed out, see {@link LoopExecutor}. */
    final List<WeakReference<LoopExecutor>> executors = new java.util.concurrent.CopyOnWriteArrayList<>();

    /** The events of things that are not ours, by what they are; each is kept by what it is attached to. */
    public final WeakHashMap<Object, WeakReference<Event>> foreignEvents = new WeakHashMap<>();

    final RemoteQueue remoteQueue = new RemoteQueue(this);

    /** The coroutine whose code runs now; null in the loop's frame and in libraryThreads. */
    @Nullable
    CoroutineImpl<?> current;

    /** The context whose {@code Thread.yield} is on its way to us, see {@link YieldSwitch}. */
    @Nullable
    ExecutionContext leaving;

    /** The context that the kernel itself interrupts now. Loop thread. */
    @Nullable
    ExecutionContext interrupting;

    /** Where the running coroutine's output goes instead of {@code System.out}; null for there. Moved by switch handlers. */
    public java.io.@Nullable OutputStream capture;

    /** The handle of the main scope is never lost. */
    private @Nullable Object mainHandle;

    /** How many calls more are served without a switch before others have their turn. */
    private int servings = SERVED_IN_A_ROW;

    /** What the tick chose, on its way to the loop's eventLoop. */
    private @Nullable Object next;

    /** What a coroutine that could not leave the thread got last. */
    private @Nullable AsyncException pinned;

    /** How many coroutines have been spawned and have not ended; the service coroutine apart. */
    private int alive;

    Scheduler(Settings settings, Reactor reactor) {
        this.settings = settings;
        this.reactor = reactor;
        this.diagnostics = settings.diagnostics();
        this.heartbeat = settings.heartbeat() == null ? null : Microtask.of(settings.heartbeat());
        this.unobserved = new UnobservedOutcomes(this::inService, this::postToService, diagnostics);
        this.queue = settings.runOrder() == null ? new RunQueue() : new ChosenQueue(settings.runOrder());
        this.timers = new TimerHeap(reactor::nanoTime, activeEvents, continuations);
        this.watches = new Watches(reactor, activeEvents);
        this.contexts = new ContextPool(settings.minContexts(), settings.maxContexts());
        this.clock = new ReactorClock(reactor);
        this.spawner = new Spawner(this);
    }

    // ---- queueing

    /** Queues a new coroutine at the tail; it never begins before the caller suspends or ends. */
    public <T> CoroutineImpl<T> spawn(Callable<T> task) {
        return spawner.spawnHere(Objects.requireNonNull(task, "task"));
    }

    /** As {@link #spawn(Callable)}. */
    public CoroutineImpl<Object> spawn(Body task) {
        return spawner.spawnHere(Tasks.task(task));
    }

    /** As {@link #spawn(Callable)}, for one that nobody will await: its error is its scope's at once. */
    public CoroutineImpl<Object> launch(Body task) {
        return spawner.launchHere(Tasks.task(task));
    }

    /** As {@link #spawn(Callable)}, for a task of any shape, see {@link Tasks#task}. */
    public <T> CoroutineImpl<T> spawnTask(Object task) {
        return spawner.spawnHere(task);
    }

    /** As {@link #spawnTask(Object)}, with a name that reports show. */
    public <T> CoroutineImpl<T> spawnTask(String name, Object task) {
        return spawner.spawn(spawner.scopeOfSpawner(), name, task, 0);
    }

    /** As {@link #launch(Body)}, with a name that reports show. */
    public CoroutineImpl<Object> launch(String name, Body task) {
        return spawner.spawn(spawner.scopeOfSpawner(), name, Tasks.task(task), CoroutineImpl.LAUNCHED);
    }

    /** A coroutine of this runtime exists from now on. */
    void joined(CoroutineImpl<?> coroutine) {
        coroutine.scope().joined(coroutine);
        alive++;
        counters.spawned++;
        if (CoroutineEvents.spawn()) FlightRecords.spawned(coroutine);
    }

    void enqueue(CoroutineImpl<?> coroutine) {
        if (coroutine.isHighPriority()) queue.addFirst(coroutine);
        else queue.addLast(coroutine);
    }

    /** To the back, whatever its priority: it is the coroutine's own wish that the others run. */
    void enqueueLast(CoroutineImpl<?> coroutine) {
        queue.addLast(coroutine);
    }

    void dequeue(CoroutineImpl<?> coroutine) {
        queue.remove(coroutine);
    }

    /** Back to the head of the queue: it was taken off too early. */
    void requeueFirst(CoroutineImpl<?> coroutine) {
        queue.addFirst(coroutine);
    }

    void moveToHead(CoroutineImpl<?> coroutine) {
        if (queue.remove(coroutine)) queue.addFirst(coroutine);
    }

    /**
     * Runs what follows an event in a coroutine of its own: it is the user's code, which may meet a lock, and where events fire nothing may
     * wait. The coroutine belongs to the main scope, whoever has made the event fire.
     */
    public void continueWith(Runnable action) {
        spawner.spawnUnowned(Tasks.task(action));
    }

    /**
     * Runs a handler that belongs to nobody in particular in a coroutine of the main scope: neither the scope that asked for it nor the one in which it
     * is due can keep it from running. What it throws is the caller's to look at.
     *
     * @param handler queued at the tail
     */
    public <T> CoroutineImpl<T> spawnHandler(Callable<T> handler) {
        CoroutineImpl<T> coroutine = spawner.spawn(mainScope, handler, CoroutineImpl.FIRE_AND_FORGET);
        coroutine.markObserved();
        return coroutine;
    }

    void ended(CoroutineImpl<?> coroutine) {
        if (!coroutine.isInternal()) alive--;
    }

    /** Registers a holder of unobserved errors; it is told when the run ends. */
    public void registerErrorHolder(UnobservedErrorHolder keeper) {
        errors.kept(keeper);
    }

    /**
     * Reports a failure within a second, unless somebody asks for it before.
     *
     * @param failed whose it is
     * @param error what it threw
     * @param due false once somebody has asked
     */
    public void reportSoon(CoroutineImpl<?> failed, Throwable error, BooleanSupplier due) {
        errors.notices.add(new FailureNotices.Notice() {
            @Override
            public boolean isDue() {
                return due.getAsBoolean();
            }

            @Override
            public String text() {
                return FailureText.ofGroup(failed, error);
            }
        });
    }

    /** Removes a holder of unobserved errors: all of its errors have been asked for. */
    public void unregisterErrorHolder(UnobservedErrorHolder keeper) {
        errors.keptNoMore(keeper);
    }

    // ---- suspending: the tick

    /** Fails unless this coroutine runs now, on the loop thread, outside scheduler context, and with stack enough left to suspend. */
    void requireMaySuspend(CoroutineImpl<?> self) {
        StackHeadroom.require();
        if (current != self || !isLoopThread()) throw Misuse.notTheRunningCoroutine(self, this);
        requireNoHandler(self);
    }

    /** As {@link #requireMaySuspend}, for a coroutine that has just been looked up as the one that runs here. */
    void requireNoHandler(CoroutineImpl<?> self) {
        if (microtasks.isDraining()) throw Misuse.schedulerContext("a microtask");
        if (self.mayNotWait()) throw Misuse.schedulerContext(self);
        if (shutdown.isOver()) shutdown.requireMaySuspend(self);
    }

    /**
     * True if the code that calls this may wait: a coroutine's, outside scheduler context and not between the preparation of a wait and its end. That
     * it is pinned shows only when it tries, see {@link #isPinned}.
     */
    public boolean maySuspend() {
        CoroutineImpl<?> self = current;
        return self != null
                && isLoopThread()
                && !self.mayNotWait()
                && !microtasks.isDraining()
                && !self.isPreparing()
                && !shutdown.isOver();
    }

    /** While {@link WaitForNode} is asked: the coroutine with this number if it waits as others are found to wait, else null. */
    public @Nullable CoroutineImpl<?> waitingCoroutine(long id) {
        return waitCycles.waiting(id);
    }

    /** The coroutine whose code runs now, or null. Loop thread. */
    public @Nullable CoroutineImpl<?> running() {
        return current;
    }

    /** True if it is a coroutine's code that runs on the loop now, and not the loop's own or a virtual thread of a library's. */
    public boolean runsCoroutine() {
        return current != null;
    }

    /**
     * True if this is what the wait that was just tried has thrown because the coroutine can't leave the thread.
     *
     * @param thrown by the wait
     */
    public boolean isPinned(Throwable thrown) {
        return thrown == pinned;
    }

    /** True if giving control away would come straight back. */
    boolean nothingElseIsReady() {
        return queue.isEmpty()
                && next == null
                && !microtasks.canDrain()
                && remoteQueue.isEmpty()
                && !service.hasWork()
                && !clock.isDue();
    }

    /**
     * For a call that may be served without a switch, before it takes effect. True once a coroutine has made {@link #SERVED_IN_A_ROW} of them in a row:
     * then {@link #giveWay} must follow as soon as the call has taken effect, so that a loop of such calls holds up nobody. Calls are counted, and no
     * clock is asked: a program goes the same way each time it is run.
     *
     * <p>Where nobody can suspend it is false, as what is served at once is served there too: in callbacks and microtasks, in guests, and between the
     * preparation of a wait and its end.
     *
     * @throws AsyncCancellation instead of true, if the running coroutine was cancelled: nothing has taken effect yet
     */
    public boolean isOthersTurn() {
        return --servings < 0 && hasHadItsShare();
    }

    private boolean hasHadItsShare() {
        servings = SERVED_IN_A_ROW;
        CoroutineImpl<?> self = current;
        if (self == null || self.mayNotWait() || microtasks.isDraining() || self.isPreparing()) return false;
        requireNoHandler(self);
        self.throwPending();
        return true;
    }

    /**
     * Lets the others run after a call that has taken effect. What becomes due meanwhile, a cancellation for instance, is thrown by the next call: this
     * one has succeeded, and its value is not lost.
     */
    public void giveWay() {
        CoroutineImpl<?> self = Objects.requireNonNull(current);
        try {
            letOthersRun(self);
        } catch (Throwable e) {
            self.goOnDespite(e);
            servings = 0;
        }
    }

    /**
     * For a step that has no effect of its own: counts it as a call, and lets the others run when it is their turn.
     *
     * @throws AsyncCancellation if the running coroutine was cancelled
     */
    public void shareLoop() {
        if (isOthersTurn()) letOthersRun(Objects.requireNonNull(current));
    }

    /**
     * As {@link #shareLoop()}, for a step that takes as long as several calls.
     *
     * @param calls how many
     */
    public void shareLoop(int calls) {
        servings -= calls - 1;
        shareLoop();
    }

    /** It does nothing where the running coroutine is pinned. */
    private void letOthersRun(CoroutineImpl<?> self) {
        try {
            self.yieldNow();
        } catch (AsyncException e) {
            if (e != pinned) throw e;
        } finally {
            pinned = null;
        }
    }

    /** Suspends the running coroutine until somebody has put it into the run queue and its turn has come. The one way to suspend. */
    void switchAway(CoroutineImpl<?> self) {
        if (handOver(self)) suspend(self);
        // From the suspension on nothing but 'self' is used: a local more would be kept on every suspended stack.
        self.switchedIn();
        if (self.hasSwitchHandlers()) addError(self, self.enter());
    }

    /** Chooses who goes on; false if it is the coroutine itself. */
    private boolean handOver(CoroutineImpl<?> self) {
        if (self.hasSwitchHandlers()) addError(self, self.leave());
        Object chosen = tick();
        if (chosen == self) return false;
        next = chosen;
        if (chosen == null) counters.schedulerSwitches++;
        else counters.directSwitches++;
        return true;
    }

    /** If this throws (the stack or the heap is exhausted), 'next' stays set and the following tick takes it up. */
    private static void suspend(CoroutineImpl<?> self) {
        if (CoroutineEvents.suspend()) FlightRecords.suspends(self);
        if (Objects.requireNonNull(self.context).suspend()) {
            if (CoroutineEvents.resume()) FlightRecords.resumes(self);
            return;
        }
        Scheduler scheduler = self.scheduler();
        scheduler.current = self;
        AsyncException error = Misuse.pinned(self);
        scheduler.pinned = error;
        throw error;
    }

    private static void addError(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        if (thrown != null) self.addError(thrown);
    }

    /**
     * One tick, in the context of the coroutine that gives control away. Null if the loop's frame must look: nothing is ready, or it is the
     * reactor's turn.
     */
    private @Nullable Object tick() {
        servings = SERVED_IN_A_ROW;
        if (heartbeat != null) microtasks.add(heartbeat);
        if (microtasks.canDrain()) runMicrotasks();
        if (!remoteQueue.isEmpty()) remoteQueue.drain();
        Object chosen = takeNext();
        if (chosen != null) return chosen;
        if (clock.isDue()) {
            eventLoop.pollFirst();
            return null;
        }
        return service.hasWork() ? null : pollRunQueue();
    }

    /** What an earlier tick has chosen and nobody has mounted yet. */
    @Nullable
    Object takeNext() {
        Object chosen = next;
        if (chosen != null) next = null;
        return chosen;
    }

    void runMicrotasks() {
        try {
            microtasks.drain(MICROTASKS_PER_TICK);
        } catch (Throwable e) {
            errors.unhandled(e);
        }
    }

    @Nullable
    Object pollRunQueue() {
        Object entry;
        while ((entry = queue.poll()) != null) {
            if (!(entry instanceof CoroutineImpl<?> coroutine)) return entry;
            if (coroutine.isCondemned() && coroutine.context == null) coroutine.finaliseUnstarted();
            else if (coroutine.isQueued()) return coroutine;
        }
        return null;
    }

    /** A coroutine has ended on this context; returns the one that goes on with it, or null. In the context. */
    @Nullable
    CoroutineImpl<?> coroutineEnded(ExecutionContext context) {
        current = null;
        context.coroutine = null;
        Object chosen = tick();
        if (chosen instanceof CoroutineImpl<?> coroutine && coroutine.context == null && !context.dedicated) {
            coroutine.context = context;
            current = coroutine;
            counters.contextReuses++;
            return coroutine;
        }
        next = chosen;
        if (chosen == null) counters.schedulerSwitches++;
        else counters.directSwitches++;
        return null;
    }

    /** Keeps an idle context until it is needed; false if it should end. In the context. */
    boolean waitInPool(ExecutionContext context) {
        if (isStopped() || !contexts.wants(queue.size())) return false;
        contexts.add(context);
        return context.suspend();
    }

    // ---- other threads, and JDK code that parks coroutines

    boolean isLoopThread() {
        return VirtualThreads.carrier() == loopThread;
    }

    /** True if it is the thread that the loop runs on. */
    public boolean isLoopOn(Thread thread) {
        return thread == loopThread;
    }

    /** Fails unless called on the loop thread. */
    public void requireLoopThread(String call) {
        StackHeadroom.require();
        if (!isLoopThread()) throw Misuse.foreignThread(call, this);
    }

    /** Fails where the stacks of coroutines may not be looked at: another thread can't know that nobody mounts them meanwhile. */
    void requireLook(String call) {
        if (!isLoopThread()) throw Misuse.foreignLook(call, this);
    }

    /** Fails unless called on the loop thread, or when the run has ended and nothing changes any more. */
    public void requireLoopThreadOrEnd(String call) {
        if (!isLoopThread() && !isStopped()) throw Misuse.foreignThread(call, this);
    }

    private void requireEventsHere() {
        if (!isLoopThread()) throw Misuse.foreignThread("starting or stopping an event", this);
    }

    /** Runs an action in the loop's frame or in a tick; it may only queue things. Any thread. */
    public void post(Runnable action) {
        remoteQueue.post(action, null);
    }

    /**
     * As {@link #post(Runnable)}, for what must not be forgotten.
     *
     * @param action queues things
     * @param orphan runs on a thread of the JDK's instead, if the run has ended
     */
    public void post(Runnable action, Runnable orphan) {
        remoteQueue.post(action, orphan);
    }

    /** Runs an action in the service coroutine, where it may block. Any thread. */
    void postToService(Runnable action) {
        post(() -> service.request(action));
    }

    /** Sends a report to the diagnostics sink, from the service coroutine. */
    public void report(String text) {
        service.request(() -> diagnostics.accept(text));
    }

    /**
     * Runs an action in the service coroutine, where it may meet a lock. Loop thread.
     *
     * @param action does not wait
     */
    public void inService(Runnable action) {
        service.request(action);
    }

    /** A virtual thread that is no coroutine waits for its turn like everybody. */
    void enqueueLibraryThread(Runnable task) {
        queue.addLast(task);
    }

    // ---- the end

    /**
     * Has something given back when the run is over, what it holds of the process for instance.
     *
     * @param release called once, on the loop thread, when no coroutine runs any more; neither blocks nor throws
     */
    public void atStop(Runnable release) {
        releases.add(release);
    }

    /**
     * As {@link org.trueasync.spi.Cleanup#atEnd}.
     *
     * @param action may wait
     * @return to take it away again with {@link #notAtEnd}
     */
    public Object atEnd(Body action) {
        return cleanups.add(action);
    }

    /**
     * There is nothing left to do at the end.
     *
     * @param entry what {@link #atEnd} brought
     */
    public void notAtEnd(Object entry) {
        cleanups.remove(entry);
    }

    /** Lets all idle stacks go and hands what is still parked in JDK code to the JDK. In the loop's frame, after the loop. */
    void stop() {
        remoteQueue.stop();
        for (Runnable release : releases) release.run(); // not a lambda: with a full heap it could not be linked
        service.retire();
        ExecutionContext idle;
        while ((idle = contexts.drain()) != null) idle.retire();
        discardMicrotasks();
        Object entry;
        while ((entry = queue.poll()) != null) {
            if (entry instanceof ExecutionContext context) context.orphan();
            else if (!(entry instanceof CoroutineImpl<?>)) VirtualThreads.runOrphan((Runnable) entry);
        }
    }

    /** Step four of a shutdown: what has not run is released instead. */
    void discardMicrotasks() {
        microtasks.discard(errors::atEnd);
    }

    boolean isStopped() {
        return remoteQueue.isStopped();
    }

    // ---- queries

    /** The coroutines that users see, in spawn order. */
    public List<CoroutineImpl<?>> liveCoroutines() {
        return scopes.coroutines();
    }

    /**
     * What users hold of the main scope: the same throughout a run.
     *
     * @param maker makes it the first time
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <H> H mainHandle(Function<CoroutineScope, H> maker) {
        if (mainHandle == null) mainHandle = mainScope.extras().handle(e -> maker.apply(mainScope));
        return (H) mainHandle;
    }

    /** Where user code calls this library now, or {@code unknown} when spawn sites are off. */
    public String spawnSite() {
        return settings.spawnSites() ? CodeSites.caller() : CodeSites.UNKNOWN;
    }

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

    /** True once the run has been told to end: what has not begun need not begin. */
    public boolean isShuttingDown() {
        return shutdown.isShuttingDown();
    }

    /** True once nobody may wait any more. */
    public boolean isOver() {
        return shutdown.isOver();
    }

    /** Starts a graceful shutdown. In a coroutine. */
    public void shutDown(AsyncCancellation reason) {
        requireCurrent("Async.gracefulShutdown");
        shutdown.shutDown(reason);
    }

    /** A snapshot. */
    public RuntimeStats stats() {
        CoroutineImpl<?> self = current;
        int running = self == null || !self.isRunning() || self.isInternal() ? 0 : 1;
        int notBegun = (int) (counters.spawned - counters.begun);
        return new RuntimeStats(
                alive,
                notBegun,
                running,
                alive - notBegun - running,
                queue.size(),
                remoteQueue.blocked(),
                activeEvents.count(),
                timers.size() - errors.notices.timers(),
                reactor.openHandles(),
                contexts.size(),
                counters.spawned,
                counters.contextsCreated,
                counters.directSwitches,
                counters.schedulerSwitches,
                counters.contextReuses,
                counters.reactorTurns);
    }

    int alive() {
        return alive;
    }

    /** The running coroutine. */
    public CoroutineImpl<?> requireCurrent(String call) {
        CoroutineImpl<?> running = current;
        if (running == null)
            throw new AsyncException(call + " must be called from a coroutine, but '" + Thread.currentThread()
                    + "' is none; use spawn or executor()");
        return running;
    }
}
