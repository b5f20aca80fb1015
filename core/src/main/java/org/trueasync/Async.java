package org.trueasync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.Sleeping;
import org.trueasync.internal.run.RuntimeDump;
import org.trueasync.internal.run.LoopStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopExecutor;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.machine.Machine;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.threads.ThreadTaskCore;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.internal.time.TimerHeap;

/**
 * The entry point of the library. Made for {@code import static org.trueasync.Async.*}.
 *
 * <p>{@link #run} starts a runtime; most other methods are called from inside one. Coroutines of a runtime share one
 * thread and switch only where they wait, so they share plain mutable state without locks. Ordinary blocking JDK code
 * (sockets, locks, sleep, HttpClient) suspends the coroutine that calls it, not the thread.
 *
 * <p>Loop thread only, except {@code run}, which begins a runtime where there is none, {@code availableParallelism},
 * {@code coroutines}, {@code cpuUsage}, {@code dump}, {@code lazily}, {@code loadAverage}, {@code runtime} and
 * {@code runtimeStats}. A method that needs a runtime throws {@link AsyncException} where there is none. A method that
 * has to wait also throws it outside a coroutine, in scheduler context (a microtask, a switch handler), and in a
 * coroutine that is pinned.
 */
public final class Async extends AwaitSeveral {
    private Async() {}

    // ---- a runtime

    /**
     * Runs main as the main coroutine of a new runtime; returns when main and everything that it started have ended.
     * The loop runs on the calling thread, or on a new platform thread if the calling thread is virtual. An error that
     * main throws, or that no code handles, ends the run and is thrown.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     * @throws OperationCanceledException if a wait in main was given up, because of a timeout for instance, and main
     *     did not catch that
     * @throws java.util.concurrent.CompletionException with a checked exception that ended the run as its cause
     * @throws AsyncException inside a runtime, or if virtual threads or a reactor are not available
     * @throws DeadlockError if coroutines waited and nothing could ever wake them
     */
    public static <T> @Nullable T run(Callable<T> main) {
        return runtime().run(main);
    }

    /**
     * As {@link #run(Callable)}, for a program without a result.
     *
     * @param main the program
     */
    public static void run(Body main) {
        runtime().run(main);
    }

    /**
     * As {@link #run(Callable)}.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     */
    public static <T> @Nullable T run(Task<T> main) {
        return runtime().run(main);
    }

    /**
     * As {@link #run(Callable)}, for a program without a result.
     *
     * @param main the program
     */
    public static void run(VoidTask main) {
        runtime().run(main);
    }

    /**
     * As {@link #run(Callable)}, for a program without a result.
     *
     * @param main the program
     */
    public static void run(Runnable main) {
        runtime().run(main);
    }

    /** Returns a builder with the settings of a runtime: reactor, stack size, name. */
    public static AsyncRuntime.Builder runtime() {
        return new AsyncRuntime.Builder();
    }

    // ---- coroutines

    /**
     * Queues a new coroutine. It begins when the caller waits or ends, after those that were queued before.
     *
     * @param task what it does
     * @return its handle: to await its value, or to cancel it
     * @throws AsyncException outside a runtime, or if the current scope has been cancelled or disposed of
     */
    public static <T> Coroutine<T> spawn(Callable<T> task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static Coroutine<?> spawn(Body task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    /**
     * Queues a new coroutine that is not meant to be awaited. An error that it throws goes at once to the handlers of
     * its scope; without a handler it ends the scope, and in the main scope the run. For work that nothing waits for:
     * an accept loop, a connection.
     *
     * @param task what it does
     * @return its handle: to cancel it, or to ask for its state. Awaiting it does not keep an error from the scope
     * @throws AsyncException outside a runtime, or if the current scope has been cancelled or disposed of
     */
    public static Coroutine<?> launch(Body task) {
        return Runtimes.here("Async.launch").spawn(CoroutineKind.LAUNCHED, null, Tasks.task(task));
    }

    /**
     * Queues a new coroutine in the scope that the provider chooses, and tells the provider about it if that is a
     * {@link SpawnStrategy}.
     *
     * @param provider a scope, or an object that chooses one. What it throws is thrown here, and the task does not run
     * @param task what it does
     * @return its handle
     * @throws AsyncException if the scope has been cancelled or disposed of, or belongs to another runtime
     */
    public static <T> Coroutine<T> spawnWith(ScopeProvider provider, Callable<T> task) {
        return Spawning.with(provider, Tasks.task(task));
    }

    /**
     * As {@link #spawnWith(ScopeProvider, Callable)}, for a task without a result.
     *
     * @param provider a scope, or an object that chooses one
     * @param task what it does
     */
    public static Coroutine<?> spawnWith(ScopeProvider provider, Body task) {
        return Spawning.with(provider, Tasks.task(task));
    }

    /**
     * Puts this coroutine at the back of the run queue and lets the others run. If nothing else has to run, this
     * returns at once.
     *
     * @throws AsyncCancellation if this coroutine was cancelled
     */
    public static void suspend() {
        Runtimes.currentCoroutine("Async.suspend").yieldNow();
    }

    /**
     * Suspends the coroutine for at least this time; 0 lets the others run once.
     *
     * @param millis >= 0
     * @throws IllegalArgumentException if negative
     * @throws AsyncCancellation if this coroutine was cancelled
     */
    public static void delay(long millis) {
        if (millis < 0) throw new IllegalArgumentException("delay must be >= 0 ms, got " + millis);
        Runtimes.currentCoroutine("Async.delay").delay(TimerHeap.nanosOfMillis(millis));
    }

    /**
     * Suspends the coroutine for at least this time; zero lets the others run once.
     *
     * @param time >= 0
     * @throws IllegalArgumentException if negative
     * @throws AsyncCancellation if this coroutine was cancelled
     */
    public static void delay(Duration time) {
        long nanos = TimeLimits.notNegative(time, "delay").toNanos();
        Runtimes.currentCoroutine("Async.delay").delay(nanos);
    }

    /**
     * As {@link #delay(long)}; gives up when the token ends.
     *
     * @param millis >= 0
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; its error is the cause
     */
    public static void delay(long millis, Completable<?> cancellation) {
        if (millis < 0) throw new IllegalArgumentException("delay must be >= 0 ms, got " + millis);
        Sleeping.sleep(TimerHeap.nanosOfMillis(millis), token(cancellation));
    }

    /**
     * As {@link #delay(Duration)}; gives up when the token ends.
     *
     * @param time >= 0
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; its error is the cause
     */
    public static void delay(Duration time, Completable<?> cancellation) {
        long nanos = TimeLimits.notNegative(time, "delay").toNanos();
        Sleeping.sleep(nanos, token(cancellation));
    }

    /**
     * Returns the coroutine that calls this.
     *
     * @throws AsyncException outside a coroutine
     */
    public static Coroutine<?> currentCoroutine() {
        return Runtimes.currentCoroutine("Async.currentCoroutine");
    }

    /** Returns the coroutines of this runtime that have not ended, in spawn order; an empty list outside a runtime. */
    public static List<Coroutine<?>> coroutines() {
        Loop here = Runtimes.hereOrNull();
        return here == null ? List.of() : new ArrayList<>(here.liveCoroutines());
    }

    /** As {@link #gracefulShutdown(AsyncCancellation)} with the reason "graceful shutdown". */
    public static void gracefulShutdown() {
        gracefulShutdown(new AsyncCancellation("graceful shutdown"));
    }

    /**
     * Ends the run. First it drains, if work is under way: tasks of {@link #executor()} and {@link
     * AsyncRuntime#submit(Callable)}, and {@linkplain org.trueasync.spi.Cleanup#onDrain drain hooks}. New connections
     * are refused, and all coroutines go on, at most for the {@linkplain AsyncRuntime.Builder#drainTimeout drain
     * timeout}. Then every coroutine is cancelled, also in protected sections, and the {@code finally} blocks run.
     * These may wait until the {@linkplain AsyncRuntime.Builder#shutdownTimeout shutdown timeout} is over. Returns to
     * the caller; if there is nothing to drain, the next wait of the calling coroutine throws the cancellation. A
     * second call does nothing.
     *
     * @param reason what is thrown in the coroutines
     * @throws AsyncException outside a coroutine
     */
    public static void gracefulShutdown(AsyncCancellation reason) {
        java.util.Objects.requireNonNull(reason, "reason");
        Runtimes.here("Async.gracefulShutdown").shutDown(reason);
    }

    // ---- waiting

    /**
     * Returns the value of an awaitable, or throws its error. If it has ended already, the call costs no switch, and no
     * other coroutine runs.
     *
     * @param awaited a coroutine, a timeout, ...
     * @return its value
     * @throws AsyncCancellation if this coroutine, or what it awaits, was cancelled
     * @throws java.util.concurrent.CompletionException with the error as its cause, if that is a checked exception
     * @throws AsyncException if another library implements what is awaited; or if the calling coroutine would wait for
     *     itself
     */
    public static <T> T await(Completable<T> awaited) {
        return Awaiting.one(awaited, null);
    }

    /**
     * As {@link #await(Completable)}; gives up when the token ends. The awaited task goes on.
     *
     * @param awaited what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> T await(Completable<T> awaited, Completable<?> cancellation) {
        java.util.Objects.requireNonNull(cancellation, "cancellation");
        return Awaiting.one(awaited, cancellation);
    }

    /**
     * As {@link #await(Completable)}; gives up after a time. The awaited task goes on then, and nothing waits for it:
     * cancel it, or use {@link #withTimeout} for a section that has to end at its limit.
     *
     * @param awaited what to wait for
     * @param limit >= 0; with zero this does not wait: it gives up at once unless the awaited task has ended
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    public static <T> T await(Completable<T> awaited, Duration limit) {
        return Awaiting.one(awaited, Limits.token(limit, "Async.await"));
    }

    /**
     * Waits for a stage that another thread or library completes, and returns its value, or throws its error without
     * the {@link java.util.concurrent.CompletionException} in which stages wrap it.
     *
     * @param foreign any stage
     * @return its value
     * @throws AsyncCancellation if this coroutine, or the stage, was cancelled
     * @throws java.util.concurrent.CompletionException with the error as its cause, if that is a checked exception
     */
    public static <T> T await(CompletionStage<T> foreign) {
        return Awaiting.stage(foreign, null);
    }

    /**
     * As {@link #await(CompletionStage)}; gives up when the token ends.
     *
     * @param foreign any stage
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> T await(CompletionStage<T> foreign, Completable<?> cancellation) {
        java.util.Objects.requireNonNull(cancellation, "cancellation");
        return Awaiting.stage(foreign, cancellation);
    }

    /**
     * Returns a cancellation token that fires after a time. The time counts from the moment when a wait begins with the
     * token.
     *
     * @param millis > 0
     * @throws IllegalArgumentException if not positive
     */
    public static Timeout timeout(long millis) {
        if (millis <= 0) throw new IllegalArgumentException("timeout must be > 0 ms, got " + millis);
        return Runtimes.here("Async.timeout").timers().timeout(Duration.ofMillis(millis));
    }

    /**
     * Returns a cancellation token that fires after a time. The time counts from the moment when a wait begins with the
     * token. Zero is not allowed: with a token that has fired, {@link Channel#receive(Completable)} for instance fails
     * even if it would not have to wait.
     *
     * @param length > 0
     * @throws IllegalArgumentException if not positive
     */
    public static Timeout timeout(Duration length) {
        TimeLimits.positive(length, "timeout");
        return Runtimes.here("Async.timeout").timers().timeout(length);
    }

    /**
     * As {@link #timeout(Duration)}.
     *
     * @param length > 0
     * @param unit of the length
     */
    public static Timeout timeout(long length, TimeUnit unit) {
        java.util.Objects.requireNonNull(unit, "unit");
        boolean coarse = unit.compareTo(TimeUnit.SECONDS) >= 0;
        return timeout(coarse ? Duration.ofSeconds(unit.toSeconds(length)) : Duration.of(length, unit.toChronoUnit()));
    }

    // ---- context

    /** Returns the context of the current coroutine's scope, which all coroutines of that scope share. */
    public static Context currentContext() {
        return Runtimes.here("Async.currentContext").currentScope().context();
    }

    /** Returns the context of the current coroutine alone; a look-up goes on in {@link #currentContext}. */
    public static Context coroutineContext() {
        return Runtimes.currentCoroutine("Async.coroutineContext").context();
    }

    /**
     * Returns the context of the main scope. Scopes below see its values; a scope without a parent
     * ({@code new Scope()}) does not.
     */
    public static Context rootContext() {
        return Runtimes.here("Async.rootContext").rootContext();
    }

    /**
     * Returns the context of the request that the current coroutine works for, see {@link Scope#asRequest()}; null if
     * there is none.
     */
    public static @Nullable Context requestContext() {
        return Runtimes.here("Async.requestContext").currentScope().requestContext();
    }

    // ---- threads

    /**
     * Runs a task on a platform thread of its own, as the main coroutine of a runtime of its own. That has the settings
     * of this one, but no {@linkplain AsyncRuntime.Builder#runOrder run order} and no
     * {@linkplain AsyncRuntime.Builder#heartbeat heartbeat}, and a blocked loop is not reported there. For long
     * computations, and for work that must not share this loop. Coroutines, scopes, futures and channels can't be used
     * from another runtime; {@link ThreadChannel}s connect runtimes.
     *
     * @param task what it does; objects that it shares with this thread must be thread-safe
     * @return its handle: to await its value, or to cancel it
     * @throws AsyncException outside a runtime
     * @throws OutOfMemoryError if the system can't create a thread
     */
    public static <T> ThreadTask<T> spawnThread(Callable<T> task) {
        return ThreadTaskCore.start(task, null);
    }

    /**
     * As {@link #spawnThread(Callable)}, with an action that runs before the task.
     *
     * @param task what it does
     * @param bootloader runs on the thread before the task; if it fails, the task does not begin, and awaiting the
     *     handle throws a {@link RemoteException} with the error as its cause
     */
    public static <T> ThreadTask<T> spawnThread(Callable<T> task, Body bootloader) {
        return ThreadTaskCore.start(task, java.util.Objects.requireNonNull(bootloader, "bootloader"));
    }

    /**
     * As {@link #spawnThread(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static ThreadTask<?> spawnThread(Body task) {
        return ThreadTaskCore.start(Tasks.of(task), null);
    }

    /**
     * As {@link #spawnThread(Callable, Body)}, for a task without a result.
     *
     * @param task what it does
     * @param bootloader runs on the thread before the task
     */
    public static ThreadTask<?> spawnThread(Body task, Body bootloader) {
        return ThreadTaskCore.start(Tasks.of(task), java.util.Objects.requireNonNull(bootloader, "bootloader"));
    }

    // ---- interop and information

    /**
     * Returns an executor that runs each task as a coroutine of this runtime; any thread may call the executor. It does
     * not keep the run alive. In a shutdown the first wait of a task throws. From the deadline of the shutdown on, and
     * after the end of the run, it rejects tasks with {@link java.util.concurrent.RejectedExecutionException}. While
     * more than 10,000 tasks and other calls wait for the loop, a call on another thread takes some 10 ms, also if its
     * interrupt status is set, and longer the more there are; a coroutine of another runtime lets others run there
     * meanwhile. So a flood does not fill the memory.
     */
    public static Executor executor() {
        return LoopExecutor.of(Runtimes.here("Async.executor"));
    }

    /**
     * Returns a factory of threads; each thread is a coroutine of this runtime from its start on.
     * {@code Thread.interrupt} ends the wait of such a thread, and of every other coroutine: the JDK's waits as usual,
     * this library's by an {@link AsyncCancellation} that tells of the interrupt.
     */
    public static ThreadFactory threadFactory() {
        return LoopExecutor.of(Runtimes.here("Async.threadFactory"));
    }

    /**
     * Returns the counts of this runtime. Any thread: one that belongs to no runtime gets those of the only runtime in
     * the process, see {@link AsyncRuntime#stats()}, or {@link RuntimeStats#NONE} if there is none.
     *
     * @throws AsyncException on a thread that belongs to no runtime while several run: {@link AsyncRuntime#stats()} is
     *     for one of them
     */
    public static RuntimeStats runtimeStats() {
        return LoopStats.here();
    }

    /**
     * Describes this runtime as text for a person to read: a line of counts, then the tree of scopes with their
     * coroutines, where each was spawned, what it awaits and where; coroutines that look the same share an entry. Shows
     * code and names, never the program's values. With thousands of coroutines it takes as long as thousands of stack
     * traces, and blocks the loop for that time.
     *
     * <p>On a thread that is no loop thread it describes all runtimes of the process. If a loop is blocked and does not
     * answer within a second, the text says instead what blocks it. {@link AsyncRuntime#dump()} is for one runtime,
     * from any thread.
     */
    public static String dump() {
        return RuntimeDump.here();
    }

    private static Completable<?> token(Completable<?> cancellation) {
        return java.util.Objects.requireNonNull(cancellation, "cancellation");
    }

    /**
     * Returns how many threads can run at the same time, 1 or more: the number of processors, or of those that a
     * container may use. It never changes within a process.
     */
    public static int availableParallelism() {
        return Machine.parallelism();
    }

    /**
     * Returns the processor time that this process has taken since the last call of this method on any thread; zeros at
     * the first call. If several parts of a program measure, they use {@link CpuUsage#between}.
     */
    public static CpuUsage cpuUsage() {
        return CpuMeter.OF_PROCESS.sinceLast();
    }

    /**
     * Returns how many threads of the machine ran, were ready or waited for a disk, on average over 1, 5 and 15
     * minutes; empty if unknown, as on all systems but Linux.
     */
    public static double[] loadAverage() {
        return Machine.loadAverage();
    }
}
