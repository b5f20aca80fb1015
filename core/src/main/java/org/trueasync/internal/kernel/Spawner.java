package org.trueasync.internal.kernel;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.site.CodeSites;
import org.trueasync.internal.site.Names;
import org.trueasync.internal.task.Tasks;

/** Makes coroutines. A task is whatever {@link Tasks#run} takes. */
final class Spawner {
    private static final long ID_BLOCK = 1 << 10;
    /** What a shutdown does not drop, and a drain does not wait for. */
    static final int SERVICE = CoroutineImpl.FIRE_AND_FORGET | CoroutineImpl.RESPECTS_SHUTDOWN;
    /** What a shutdown does not drop, and a drain waits for. */
    static final int WORK = SERVICE | CoroutineImpl.DRAINED;

    private static final AtomicLong NEXT_BLOCK = new AtomicLong(1);

    private final Loop loop;
    private final boolean spawnSites;
    private long nextId;
    private long endOfBlock;

    Spawner(Loop loop) {
        this.loop = loop;
        this.spawnSites = loop.settings.spawnSites();
    }

    /**
     * Puts a new coroutine at the tail of the run queue. It belongs to the scope of the coroutine that spawns it, or to
     * the main scope if none does.
     */
    <T> CoroutineImpl<T> spawn(Object task, int flags) {
        return spawn(scopeOfSpawner(), task, flags);
    }

    <T> CoroutineImpl<T> spawn(CoroutineScope scope, Object task, int flags) {
        CoroutineImpl<T> coroutine = create(scope, task, flags);
        loop.queue.addLast(coroutine);
        return coroutine;
    }

    /**
     * Puts a new fire-and-forget coroutine of the main scope at the tail of the run queue. It is for work that comes
     * from outside or follows an event: the running coroutine has nothing to do with such work.
     */
    void spawnUnowned(Object task) {
        spawn(loop.mainScope, task, CoroutineImpl.FIRE_AND_FORGET);
    }

    /**
     * Puts a new coroutine at the tail of the run queue, unless its scope has ended.
     *
     * @throws org.trueasync.AsyncException if its scope has ended
     */
    <T> CoroutineImpl<T> spawnHere(Object task) {
        return spawnHere(task, 0);
    }

    /** As {@link #spawnHere(Object)}, for a coroutine that is not meant to be awaited. */
    <T> CoroutineImpl<T> launchHere(Object task) {
        return spawnHere(task, CoroutineImpl.LAUNCHED);
    }

    private <T> CoroutineImpl<T> spawnHere(Object task, int flags) {
        CoroutineScope scope = scopeOfSpawner();
        scope.requireOpen();
        return spawn(scope, task, flags);
    }

    /**
     * Puts a new coroutine at the tail of the run queue, in a given scope and with a name that reports show.
     *
     * @throws org.trueasync.AsyncException if the scope has ended
     */
    <T> CoroutineImpl<T> spawn(CoroutineScope scope, String name, Object task, int flags) {
        String readable = Names.readable(name);
        scope.requireOpen();
        CoroutineImpl<T> coroutine = make(scope, task, flags);
        if (readable != null) coroutine.extras().name = readable;
        loop.joined(coroutine);
        loop.queue.addLast(coroutine);
        return coroutine;
    }

    /** Puts a new coroutine for a task of an executor at the tail of the run queue. */
    void spawnTask(Object task) {
        CoroutineImpl<?> coroutine = spawn(task, WORK);
        coroutine.inherits(inheritance());
    }

    /**
     * As {@link #spawnTask}, for a task that another thread has submitted. The coroutine belongs to the main scope, and
     * inherits what that thread hands down.
     *
     * @param flags {@link #WORK} or {@link #SERVICE}
     * @param site where that thread has submitted it, or null: this stack has nothing to do with it
     */
    void spawnTaskUnowned(Object task, int flags, @Nullable String site, @Nullable Inheritance inheritance) {
        var coroutine = new CoroutineImpl<Object>(loop.mainScope, newId(), task, flags);
        if (site != null) coroutine.extras().spawnLocation = site;
        coroutine.inherits(inheritance);
        loop.joined(coroutine);
        loop.queue.addLast(coroutine);
    }

    /** Puts a new coroutine of the main scope for a drain hook at the tail of the run queue. */
    void spawnHook(Body hook) {
        spawn(loop.mainScope, "drain hook", Tasks.task(hook), WORK);
    }

    /** Puts a new fire-and-forget coroutine at the head of the run queue, also if its scope has ended. */
    void spawnFirst(Callable<?> task) {
        spawnFirst(scopeOfSpawner(), task);
    }

    /** As {@link #spawnFirst(Callable)}, in a given scope. */
    void spawnFirst(CoroutineScope scope, Callable<?> task) {
        loop.queue.addFirst(create(scope, task, CoroutineImpl.FIRE_AND_FORGET));
    }

    /**
     * As {@link #spawnFirst(CoroutineScope, Callable)}, for finally handlers. If a shutdown has started before they
     * begin, their first wait throws.
     */
    void spawnFinally(CoroutineScope scope, Callable<?> task) {
        loop.queue.addFirst(create(scope, task, SERVICE));
    }

    /**
     * As {@link #spawn(CoroutineScope, Object, int)}, but runs an action before it queues the coroutine. If the action
     * throws, or if the scope has ended, the coroutine is not queued and not counted.
     *
     * @param beforeQueued the action; gets the coroutine
     */
    <T> CoroutineImpl<T> spawn(CoroutineScope scope, Object task, Consumer<? super CoroutineImpl<T>> beforeQueued) {
        CoroutineImpl<T> coroutine = make(scope, task, 0);
        beforeQueued.accept(coroutine);
        scope.requireOpen();
        loop.joined(coroutine);
        loop.queue.addLast(coroutine);
        return coroutine;
    }

    private <T> CoroutineImpl<T> create(CoroutineScope scope, Object task, int flags) {
        CoroutineImpl<T> coroutine = make(scope, task, flags);
        loop.joined(coroutine);
        return coroutine;
    }

    private <T> CoroutineImpl<T> make(CoroutineScope scope, Object task, int flags) {
        var coroutine = new CoroutineImpl<T>(scope, newId(), task, flags);
        if (spawnSites) coroutine.extras().spawnLocation = CodeSites.caller();
        // No fire-and-forget coroutine but main inherits anything here. For tasks of executors spawnTask sets what they
        // inherit; the others are the runtime's own.
        if ((flags & (CoroutineImpl.FIRE_AND_FORGET | CoroutineImpl.MAIN)) != CoroutineImpl.FIRE_AND_FORGET) {
            Inheritance inheritance =
                    (flags & CoroutineImpl.MAIN) != 0 ? Inheritance.ofCaller(loop.classLoader) : inheritance();
            if (inheritance != null) coroutine.inherits(inheritance);
        }
        return coroutine;
    }

    /**
     * Returns what the running coroutine hands down to those that it spawns; null if there is nothing. It hands down
     * nothing from a microtask, and nothing once it has ended: other code has asked for what is spawned then. A library
     * thread on the loop hands down as threads outside do.
     */
    @Nullable
    Inheritance inheritance() {
        CoroutineImpl<?> spawner = loop.current;
        if (spawner == null)
            return Thread.currentThread().isVirtual() ? Inheritance.ofOutsider(loop.classLoader) : null;
        if (spawner.isInternal() || spawner.isCompleted() || loop.microtasks.isDraining()) return null;
        return Inheritance.ofCaller(loop.classLoader);
    }

    CoroutineScope scopeOfSpawner() {
        CoroutineImpl<?> spawner = loop.current;
        // A microtask runs in the tick of a coroutine that has nothing to do with it.
        if (spawner == null || spawner.isInternal() || loop.microtasks.isDraining()) return loop.mainScope;
        return spawner.scope();
    }

    /**
     * Returns an id that is unique within the process. A runtime takes ids in blocks, so that several runtimes do not
     * contend for them.
     */
    private long newId() {
        if (nextId == endOfBlock) {
            nextId = NEXT_BLOCK.getAndAdd(ID_BLOCK);
            endOfBlock = nextId + ID_BLOCK;
        }
        return nextId++;
    }

    // ---- threads

    /** Makes a thread. When it is started, its body becomes a coroutine of this runtime. Any thread. */
    Thread newThread(Runnable body) {
        ExecutionContext context = new ExecutionContext(loop, true);
        var coroutine =
                new CoroutineImpl<Object>(loop.mainScope, NEXT_BLOCK.getAndIncrement(), Tasks.task(body), SERVICE);
        coroutine.context = context;
        // The JDK hands down the rest.
        coroutine.inherits(Inheritance.ofContext());
        context.coroutine = coroutine;
        coroutine.cancellation().respectInterruptStatus();
        return context.thread;
    }

    /** Called when a thread made by {@link #newThread} has been started: queues its coroutine. Any thread. */
    void started(ExecutionContext context) {
        Runnable join = () -> {
            CoroutineImpl<?> coroutine = Objects.requireNonNull(context.coroutine);
            loop.counters.contextsCreated++;
            coroutine.takeNameOf(context.thread);
            loop.joined(coroutine);
            loop.queue.addLast(coroutine);
        };
        if (loop.isLoopThread() && !loop.isStopped()) join.run();
        else loop.remoteQueue.bring(join, context::orphan);
    }
}
