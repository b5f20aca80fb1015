package org.trueasync.internal.kernel;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;

/** Makes coroutines. A task is whatever {@link Tasks#run} takes; callers make one by {@link Tasks#task}. */
final class Spawner {
    private static final long ID_BLOCK = 1 << 10;

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
     * Puts a new coroutine at the tail of the run queue.
     *
     * @param name which reports show, or null
     * @throws org.trueasync.AsyncException if the scope has ended, unless the coroutine must run nevertheless
     */
    <T> CoroutineImpl<T> spawn(CoroutineScope scope, CoroutineKind kind, @Nullable String name, Object task) {
        String readable = name == null ? null : Names.readable(name);
        if (!kind.mustRun) scope.requireOpen();
        CoroutineImpl<T> coroutine = make(scope, kind, task);
        if (readable != null) coroutine.extras().name = readable;
        queueLast(coroutine);
        return coroutine;
    }

    /** As {@link #spawn}, at the head of the run queue. */
    void spawnFirst(CoroutineScope scope, CoroutineKind kind, Callable<?> task) {
        CoroutineImpl<?> coroutine = make(scope, kind, task);
        loop.joined(coroutine);
        loop.agenda.queue.addFirst(coroutine);
    }

    /**
     * As {@link #spawn}, but runs an action before it queues the coroutine. If the action throws, or if the scope has
     * ended, the coroutine is not queued and not counted.
     *
     * @param beforeQueued the action; gets the coroutine
     */
    <T> CoroutineImpl<T> spawnWith(CoroutineScope scope, Object task, Consumer<? super CoroutineImpl<T>> beforeQueued) {
        CoroutineImpl<T> coroutine = make(scope, CoroutineKind.ORDINARY, task);
        beforeQueued.accept(coroutine);
        scope.requireOpen();
        queueLast(coroutine);
        return coroutine;
    }

    /** Puts a new coroutine for a task of an executor at the tail of the run queue. */
    void spawnWork(Object task) {
        CoroutineImpl<?> coroutine = spawn(scopeOfSpawner(), CoroutineKind.WORK, null, task);
        coroutine.inherits(inheritance());
    }

    /**
     * Puts a new coroutine for a task from elsewhere at the tail of the run queue. It inherits what the task brings:
     * the running coroutine has nothing to do with it.
     *
     * @param site where the task comes from
     */
    CoroutineImpl<Object> spawnBrought(
            CoroutineScope scope, CoroutineKind kind, Object task, String site, @Nullable Inheritance inheritance) {
        var coroutine = new CoroutineImpl<Object>(scope, newId(), task, kind);
        coroutine.setSpawnLocation(site);
        coroutine.inherits(inheritance);
        queueLast(coroutine);
        return coroutine;
    }

    private void queueLast(CoroutineImpl<?> coroutine) {
        loop.joined(coroutine);
        loop.agenda.queue.addLast(coroutine);
    }

    private <T> CoroutineImpl<T> make(CoroutineScope scope, CoroutineKind kind, Object task) {
        var coroutine = new CoroutineImpl<T>(scope, newId(), task, kind);
        if (spawnSites) coroutine.extras().spawnLocation = CodeSites.caller();
        if (!kind.mustRun) {
            Inheritance inheritance =
                    kind == CoroutineKind.MAIN ? Inheritance.ofCaller(loop.classLoader) : inheritance();
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
        if (spawner.isInternal() || spawner.isCompleted() || loop.agenda.microtasks.isDraining()) return null;
        return Inheritance.ofCaller(loop.classLoader);
    }

    CoroutineScope scopeOfSpawner() {
        CoroutineImpl<?> spawner = loop.current;
        // A microtask runs in the tick of a coroutine that has nothing to do with it.
        if (spawner == null || spawner.isInternal() || loop.agenda.microtasks.isDraining()) return loop.mainScope;
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
        var coroutine = new CoroutineImpl<Object>(
                loop.mainScope, NEXT_BLOCK.getAndIncrement(), Tasks.task(body), CoroutineKind.OWED);
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
            queueLast(coroutine);
        };
        if (loop.isLoopThread() && !loop.isStopped()) join.run();
        else loop.remoteQueue.bring(join, context::orphan);
    }
}
