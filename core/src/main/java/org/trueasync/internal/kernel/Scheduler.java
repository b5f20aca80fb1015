package org.trueasync.internal.kernel;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Context;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.poll.Watches;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.spi.ActiveEvents;
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
 * interrupts, microtasks while no coroutine runs) is done by the ServiceCoroutine, which then waits like any other.
 */
public final class Scheduler {
    private static final int MICROTASKS_PER_TICK = 10_000;
    private static final long ID_BLOCK = 1 << 10;
    private static final java.util.concurrent.atomic.AtomicLong NEXT_IDS =
            new java.util.concurrent.atomic.AtomicLong(1);

    final Settings settings;
    final Thread loopThread = Thread.currentThread();
    final @Nullable ClassLoader classLoader = loopThread.getContextClassLoader();
    public final Reactor reactor;
    public final ActiveEvents activeEvents = new ActiveEvents();
    public final TimerHeap timers;
    final Watches watches;
    final MicrotaskQueue microtasks = new MicrotaskQueue();
    final Counters counters = new Counters();
    final Consumer<String> diagnostics;
    final CoroutineScope mainScope = new CoroutineScope(this, new Context(null));
    final UnhandledErrors errors = new UnhandledErrors(this);
    final Ending ending = new Ending(this);
    final CleanupActions cleanups = new CleanupActions(this);
    final Guests guests = new Guests();
    private final ServiceCoroutine service = new ServiceCoroutine(this);
    private final RunQueue queue = new RunQueue();
    private final ContextPool contexts;
    private final ReactorClock clock;

    /** The executors handed out, see {@link LoopExecutor}. */
    final List<java.lang.ref.WeakReference<LoopExecutor>> executors = new java.util.concurrent.CopyOnWriteArrayList<>();

    final Arrivals arrivals = new Arrivals(this);

    /** The coroutine whose code runs now; null in the loop's frame and in guests. */
    @Nullable
    CoroutineImpl<?> current;

    /** The context whose {@code Thread.yield} is on its way to us, see {@link YieldSwitch}. */
    @Nullable
    ExecutionContext leaving;

    /** Where the running coroutine's output goes instead of {@code System.out}; null for there. Moved by switch handlers. */
    public java.io.@Nullable OutputStream capture;

    /** What the tick chose, on its way to the loop's frame. */
    private @Nullable Object next;

    /** The tick gave up the rest of its work to the frame because it is the reactor's turn. */
    private boolean reactorDue;

    /** True while switch handlers run: scheduler context, nothing may suspend. */
    boolean handlersRunning;

    /** The service coroutine has drained microtasks since a coroutine was last taken from the queue here. */
    private boolean drained;

    private int alive;
    private long nextId;
    private long lastIdOfBlock;

    Scheduler(Settings settings, Reactor reactor) {
        this.settings = settings;
        this.reactor = reactor;
        this.diagnostics = settings.diagnostics();
        this.timers = new TimerHeap(reactor::nanoTime, activeEvents);
        this.watches = new Watches(reactor, activeEvents);
        this.contexts = new ContextPool(settings.minContexts(), settings.maxContexts());
        this.clock = new ReactorClock(reactor);
    }

    // ---- spawning and queueing

    /** Queues a new coroutine at the tail; it never begins before the caller suspends or ends. */
    public <T> CoroutineImpl<T> spawn(Callable<T> task) {
        return spawn(task, 0);
    }

    /** As {@link #spawn(Callable)}. */
    public CoroutineImpl<Object> spawn(Body task) {
        return spawn(Tasks.task(task), 0);
    }

    /** A task is whatever {@link Tasks#run} takes. */
    <T> CoroutineImpl<T> spawn(Object task, int flags) {
        return spawn(scopeOfSpawner(), task, flags);
    }

    <T> CoroutineImpl<T> spawn(CoroutineScope scope, Object task, int flags) {
        CoroutineImpl<T> coroutine = create(scope, task, flags);
        queue.addLast(coroutine);
        return coroutine;
    }

    /** Queues a new fire-and-forget coroutine at the head. */
    void spawnFirst(Callable<?> task) {
        queue.addFirst(create(scopeOfSpawner(), task, CoroutineImpl.FIRE_AND_FORGET));
    }

    private <T> CoroutineImpl<T> create(CoroutineScope scope, Object task, int flags) {
        Objects.requireNonNull(task, "task");
        var coroutine = new CoroutineImpl<T>(scope, newId(), task, flags);
        if (settings.spawnSites()) coroutine.extras().spawnLocation = CodeSites.caller();
        coroutine.scope().joined(coroutine);
        alive++;
        counters.spawned++;
        return coroutine;
    }

    private CoroutineScope scopeOfSpawner() {
        CoroutineImpl<?> spawner = current;
        return spawner == null || spawner.isInternal() ? mainScope : spawner.scope();
    }

    /** A thread that is a coroutine of this runtime from the moment that it is started, by whichever thread. */
    Thread newThread(Runnable body) {
        ExecutionContext context = new ExecutionContext(this, true);
        counters.contextsCreated++;
        var coroutine = new CoroutineImpl<Object>(mainScope, newId(), Tasks.task(body), CoroutineImpl.FIRE_AND_FORGET);
        coroutine.context = context;
        context.coroutine = coroutine;
        return context.thread;
    }

    private long newId() {
        if (nextId == lastIdOfBlock) {
            nextId = NEXT_IDS.getAndAdd(ID_BLOCK);
            lastIdOfBlock = nextId + ID_BLOCK;
        }
        return nextId++;
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
    void goOnNext(CoroutineImpl<?> coroutine) {
        queue.addFirst(coroutine);
    }

    void moveToHead(CoroutineImpl<?> coroutine) {
        if (queue.remove(coroutine)) queue.addFirst(coroutine);
    }

    /** The coroutine was cancelled before it began. In the queue its turn will come; a thread not yet started has none. */
    void neverStart(CoroutineImpl<?> coroutine) {
        if (coroutine.context != null) coroutine.finaliseUnstarted();
    }

    void ended(CoroutineImpl<?> coroutine) {
        if (!coroutine.isInternal()) alive--;
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
        if (handlersRunning) throw Misuse.schedulerContext("a switch handler");
        if (ending.isOver()) ending.requireMaySuspend(self);
    }

    /** True if giving control away would come straight back. */
    boolean nothingElseIsReady() {
        return queue.isEmpty()
                && next == null
                && microtasks.isEmpty()
                && arrivals.isEmpty()
                && !service.hasWork()
                && !clock.isDue();
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
        if (Objects.requireNonNull(self.context).suspend()) return;
        self.scheduler().current = self;
        throw Misuse.pinned(self);
    }

    private static void addError(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        if (thrown != null) self.addError(thrown);
    }

    /**
     * One tick, in the context of the coroutine that gives control away. Null if the loop's frame must look: nothing is ready, or it is the
     * reactor's turn.
     */
    private @Nullable Object tick() {
        if (!microtasks.isEmpty()) drainMicrotasks();
        if (!arrivals.isEmpty()) arrivals.drain();
        Object chosen = next;
        if (chosen != null) {
            next = null;
            return chosen;
        }
        if (clock.isDue()) {
            reactorDue = true;
            return null;
        }
        return service.hasWork() ? null : nextReady();
    }

    void drainMicrotasks() {
        try {
            microtasks.drain(MICROTASKS_PER_TICK);
        } catch (Throwable e) {
            errors.unhandled(e);
        }
    }

    private @Nullable Object nextReady() {
        Object entry;
        while ((entry = queue.poll()) != null) {
            if (!(entry instanceof CoroutineImpl<?> coroutine)) return entry;
            if (coroutine.isCondemned()) coroutine.finaliseUnstarted();
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

    // ---- the loop's frame

    /** Runs until everything has ended. */
    void loop() {
        Object entry;
        while ((entry = choose()) != null) {
            if (entry instanceof CoroutineImpl<?> coroutine) mount(coroutine);
            else runGuest((Runnable) entry);
        }
    }

    private void runGuest(Runnable task) {
        current = null;
        guests.run(task);
    }

    private @Nullable Object choose() {
        Object chosen = next;
        if (chosen == null) return lookAround();
        next = null;
        return chosen;
    }

    private void mount(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        if (context == null) {
            context = contexts.take();
            if (context == null) context = newContext(coroutine);
            if (context == null) return;
            coroutine.context = context;
            context.coroutine = coroutine;
        } else if (context.state == ExecutionContext.READY && coroutine.hasSwitchHandlers() && !coroutine.isEntered()) {
            service.enter(coroutine);
            return;
        }
        current = coroutine;
        context.mount();
        if (context.state == ExecutionContext.RUNNING) blockedInJdk(context);
        else if (context.state == ExecutionContext.READY) leftJdkWay(context);
    }

    private @Nullable ExecutionContext newContext(CoroutineImpl<?> coroutine) {
        try {
            ExecutionContext context = new ExecutionContext(this, false);
            counters.contextsCreated++;
            return context;
        } catch (Throwable e) {
            coroutine.failUnstarted(e);
            return null;
        }
    }

    private void blockedInJdk(ExecutionContext context) {
        arrivals.parked(context);
        leftJdkWay(context);
    }

    /** JDK code has parked it, or yielded: its LEAVE could not run in its own context. */
    private void leftJdkWay(ExecutionContext context) {
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine != null && coroutine.hasSwitchHandlers() && coroutine.isEntered()) service.leave(coroutine);
    }

    /** Finds what runs next: from the inbox, the service, the reactor, the queue; waits if there is nothing. Null at the end of the run. */
    private @Nullable Object lookAround() {
        current = null;
        for (; ; ) {
            arrivals.drain();
            // Before everything that could go on for ever by itself.
            if (reactorDue) {
                reactorDue = false;
                turn(true);
                continue;
            }
            // A drain is bounded; when it has left something over, who is ready goes first.
            if (!microtasks.isEmpty() && (!drained || queue.isEmpty())) {
                drained = true;
                service.drainMicrotasks();
            }
            CoroutineImpl<?> serving = service.takeIfReady();
            if (serving != null) return serving;
            Object ready = nextReady();
            drained = false;
            if (ready != null) return ready;
            errors.collectUnreachable();
            if (somethingToRun()) continue;
            if (!ending.isOver() && canBeWoken()) {
                shrinkPool();
                turn(false);
            } else if (service.isBusy()) {
                turn(false);
            } else {
                turn(true);
                if (!somethingToRun() && (ending.isOver() || !canBeWoken()) && !ending.nothingLeft()) return null;
            }
        }
    }

    private boolean somethingToRun() {
        return !queue.isEmpty() || !microtasks.isEmpty() || !arrivals.isEmpty() || service.hasWork();
    }

    /** Whether anything that we can see, or must assume, could wake a coroutine or bring new work. */
    private boolean canBeWoken() {
        if (activeEvents.count() > 0) return true;
        if (alive == 0) return false;
        return arrivals.blocked() > ending.exiting() || guests.anyAlive() || LoopExecutor.reachable(this);
    }

    private void turn(boolean noWait) {
        boolean collectOnly = noWait;
        if (!noWait) {
            reactor.alarm(timers.nextDeadline());
            collectOnly = !arrivals.fallAsleep();
        }
        counters.reactorTurns++;
        try {
            reactor.execute(collectOnly);
            arrivals.awake();
            timers.fireDue();
        } catch (Throwable e) {
            errors.unhandled(e);
        } finally {
            arrivals.awake();
        }
        clock.turned(reactor.nanoTime());
    }

    private void shrinkPool() {
        ExecutionContext surplus;
        while ((surplus = contexts.surplus(reactor.nanoTime())) != null) surplus.retire();
    }

    // ---- other threads, and JDK code that parks coroutines

    boolean isLoopThread() {
        return VirtualThreads.carrier() == loopThread;
    }

    /** Fails unless called on the loop thread. */
    public void requireLoopThread(String call) {
        StackHeadroom.require();
        if (!isLoopThread()) throw Misuse.foreignThread(call, this);
    }

    /** Runs an action in the loop's frame or in a tick; it may only queue things. Any thread. */
    public void post(Runnable action) {
        arrivals.post(action, null);
    }

    /** Runs an action in the service coroutine, where it may block. Any thread. */
    void postToService(Runnable action) {
        post(() -> service.request(action));
    }

    /** Sends a report to the diagnostics sink, from the service coroutine. */
    public void report(String text) {
        service.request(() -> diagnostics.accept(text));
    }

    void inService(Runnable action) {
        service.request(action);
    }

    /** A thread made by {@link #newThread} was started. Any thread. */
    void startedFromOutside(ExecutionContext context) {
        Runnable join = () -> {
            CoroutineImpl<?> coroutine = Objects.requireNonNull(context.coroutine);
            coroutine.scope().joined(coroutine);
            alive++;
            counters.spawned++;
            queue.addLast(coroutine);
        };
        if (isLoopThread() && !isStopped()) join.run();
        else arrivals.post(join, context::orphan);
    }

    /** A virtual thread that is no coroutine waits for its turn like everybody. */
    void enqueueGuest(Runnable task) {
        queue.addLast(task);
    }

    // ---- the end

    /** Lets all idle stacks go and hands what is still parked in JDK code to the JDK. In the loop's frame, after the loop. */
    void stop() {
        arrivals.stop();
        service.retire();
        ExecutionContext idle;
        while ((idle = contexts.drain()) != null) idle.retire();
        microtasks.discard();
        Object entry;
        while ((entry = queue.poll()) != null) {
            if (!(entry instanceof CoroutineImpl<?>)) VirtualThreads.runOrphan((Runnable) entry);
        }
    }

    boolean isStopped() {
        return arrivals.isStopped();
    }

    // ---- queries

    List<CoroutineImpl<?>> coroutines() {
        return mainScope.coroutines();
    }

    /** The coroutines that users see, in spawn order. */
    public List<CoroutineImpl<?>> liveCoroutines() {
        return coroutines();
    }

    /** The scope of main and of everything that has no other. */
    public CoroutineScope mainScope() {
        return mainScope;
    }

    /** The context that everything in this runtime sees. */
    public Context rootContext() {
        return mainScope.context();
    }

    /** Starts a graceful shutdown. In a coroutine. */
    public void shutDown(AsyncCancellation reason) {
        requireCurrent("Async.gracefulShutdown");
        ending.shutDown(reason);
    }

    /** A snapshot. */
    public RuntimeStats stats() {
        return new RuntimeStats(
                alive,
                queue.size(),
                arrivals.blocked(),
                activeEvents.count(),
                timers.size(),
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
