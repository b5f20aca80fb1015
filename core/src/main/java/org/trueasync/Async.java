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
import org.trueasync.internal.dump.Dump;
import org.trueasync.internal.dump.LoopStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopExecutor;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.machine.Machine;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.threads.ThreadTaskCore;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.internal.time.TimerHeap;

/**
 * Everything starts here. Made for {@code import static org.trueasync.Async.*}.
 *
 * <p>{@link #run} starts a runtime on the calling thread; everything else is called from inside one. Coroutines of a runtime share one thread and
 * switch only where they wait, so they share plain mutable state without locks. Ordinary blocking JDK code (sockets, locks, sleep,
 * HttpClient) suspends the coroutine that calls it, not the thread.
 *
 * <p>Loop thread only, except {@code run}, which begins a runtime where there is none,
 * {@code availableParallelism}, {@code coroutines}, {@code cpuUsage}, {@code dump}, {@code loadAverage}, {@code runtime} and
 * {@code runtimeStats}.
 */
public final class Async extends AwaitSeveral {
    private Async() {}

    // ---- a runtime

    /**
     * Runs main as the main coroutine of a new runtime on the calling thread; returns when main and everything that it started have ended.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     * @throws OperationCanceledException if a wait of main's was given up, by a timeout for instance, and main did not catch that
     * @throws AsyncException inside a runtime, or if virtual threads or a reactor are not to be had
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

    /** Settings for a runtime: reactor, stack size, name. */
    public static AsyncRuntime.Builder runtime() {
        return new AsyncRuntime.Builder();
    }

    // ---- coroutines

    /**
     * Queues a new coroutine. It begins when the caller waits or ends, after those that were queued before.
     *
     * @param task what it does
     * @return its handle: to await its value, or to cancel it
     */
    public static <T> Coroutine<T> spawn(Callable<T> task) {
        return Runtimes.here("Async.spawn").spawn(task);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static Coroutine<?> spawn(Body task) {
        return Runtimes.here("Async.spawn").spawn(task);
    }

    /**
     * Queues a new coroutine that nobody will await: what it throws is its scope's at once, and goes to the scope's handlers, or ends the scope; in the main scope without a
     * handler it ends the run. For what serves on its own: an accept loop, a connection.
     *
     * @param task what it does
     * @return its handle: to cancel it, or to ask how far it is. Awaiting it takes no error away from the scope
     */
    public static Coroutine<?> launch(Body task) {
        return Runtimes.here("Async.launch").launch(task);
    }

    /**
     * Queues a new coroutine in the scope that the provider chooses, and tells the provider of it if that is a {@link SpawnStrategy}.
     *
     * @param provider a scope, or something that chooses one; what it throws is thrown here, and nothing is spawned
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
     * @param provider a scope, or something that chooses one
     * @param task what it does
     */
    public static Coroutine<?> spawnWith(ScopeProvider provider, Body task) {
        return Spawning.with(provider, Tasks.task(task));
    }

    /**
     * Goes to the back of the queue and lets the others run. With nobody else ready it returns at once.
     *
     * @throws AsyncCancellation if this coroutine was cancelled
     */
    public static void suspend() {
        Runtimes.currentCoroutine("Async.suspend").yieldNow();
    }

    /**
     * Waits at least this long; 0 lets the others run once.
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
     * Waits at least this long; zero lets the others run once.
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
     * @throws OperationCanceledException if the token ended first, or had ended; its error is the cause
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
     * @throws OperationCanceledException if the token ended first, or had ended; its error is the cause
     */
    public static void delay(Duration time, Completable<?> cancellation) {
        long nanos = TimeLimits.notNegative(time, "delay").toNanos();
        Sleeping.sleep(nanos, token(cancellation));
    }

    /**
     * The coroutine that calls this.
     *
     * @throws AsyncException outside a coroutine
     */
    public static Coroutine<?> currentCoroutine() {
        return Runtimes.currentCoroutine("Async.currentCoroutine");
    }

    /** The coroutines of this runtime that have not ended, in spawn order; empty outside a runtime. */
    public static List<Coroutine<?>> coroutines() {
        Loop here = Runtimes.hereOrNull();
        return here == null ? List.of() : new ArrayList<>(here.liveCoroutines());
    }

    /** As {@link #gracefulShutdown(AsyncCancellation)} with a reason that says just that. */
    public static void gracefulShutdown() {
        gracefulShutdown(new AsyncCancellation("graceful shutdown"));
    }

    /**
     * Cancels every coroutine, lets their {@code finally} blocks run, which may still wait, and ends the run. Returns to the caller, who is
     * cancelled at its next wait. Again does nothing.
     *
     * @param reason what the coroutines see thrown
     */
    public static void gracefulShutdown(AsyncCancellation reason) {
        java.util.Objects.requireNonNull(reason, "reason");
        Runtimes.here("Async.gracefulShutdown").shutDown(reason);
    }

    // ---- waiting

    /**
     * The value of an awaitable, or its error thrown. Something that has ended costs no switch and lets nobody else run.
     *
     * @param one a coroutine, a timeout, ...
     * @return its value
     * @throws AsyncCancellation if this coroutine, or the awaited one, was cancelled
     */
    public static <T> T await(Completable<T> one) {
        return Awaiting.one(one, null);
    }

    /**
     * As {@link #await(Completable)}; gives up when the token ends. What was awaited goes on.
     *
     * @param one what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> T await(Completable<T> one, Completable<?> cancellation) {
        java.util.Objects.requireNonNull(cancellation, "cancellation");
        return Awaiting.one(one, cancellation);
    }

    /**
     * As {@link #await(Completable)}; gives up after a time. What was awaited goes on then, with nobody to wait for it: cancel it, or use
     * {@link #withTimeout} for a section that is to end with its limit.
     *
     * @param one what to wait for
     * @param limit >= 0; with zero this does not wait: it is the value of something that has ended, or gives up at once
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    public static <T> T await(Completable<T> one, Duration limit) {
        return Awaiting.one(one, Limits.token(limit, "Async.await"));
    }

    /**
     * Waits for a stage that another thread or library completes.
     *
     * @param foreign any stage
     * @return its value
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
     * A cancellation token that fires after a time, counted from the moment when somebody waits with it.
     *
     * @param millis > 0
     * @throws IllegalArgumentException if not positive
     */
    public static Timeout timeout(long millis) {
        if (millis <= 0) throw new IllegalArgumentException("timeout must be > 0 ms, got " + millis);
        return Runtimes.here("Async.timeout").timers().timeout(Duration.ofMillis(millis));
    }

    /**
     * A cancellation token that fires after a time, counted from the moment when somebody waits with it. There is none for zero: a token that has fired refuses
     * every call, also one that would not have to wait.
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

    /** The values that the current coroutine's scope shares with all its coroutines. */
    public static Context currentContext() {
        return Runtimes.here("Async.currentContext").currentScope().context();
    }

    /** The values that belong to the current coroutine alone; a look-up goes on in {@link #currentContext}. */
    public static Context coroutineContext() {
        return Runtimes.currentCoroutine("Async.coroutineContext").context();
    }

    /** The values that everything in this runtime sees. */
    public static Context rootContext() {
        return Runtimes.here("Async.rootContext").rootContext();
    }

    /** The values of the request that the current coroutine works for, see {@link Scope#asRequest()}; null if it works for none. */
    public static @Nullable Context requestContext() {
        return Runtimes.here("Async.requestContext").currentScope().requestContext();
    }

    // ---- threads

    /**
     * Runs a task on a platform thread of its own, as the main coroutine of a runtime of its own with the settings of this one. For what computes long, and what
     * must not share this loop. Kernel objects (coroutines, scopes, futures, channels) stay with their runtime; {@link ThreadChannel}s go between.
     *
     * @param task what it does; what it shares with this thread must be safe for several threads
     * @return its handle: to await its value, or to cancel it
     * @throws AsyncException outside a runtime
     * @throws OutOfMemoryError if the system gives no thread
     */
    public static <T> ThreadTask<T> spawnThread(Callable<T> task) {
        return ThreadTaskCore.start(task, null);
    }

    /**
     * As {@link #spawnThread(Callable)}, with something that comes first.
     *
     * @param task what it does
     * @param bootloader runs on the thread before the task; if it fails, the task does not begin, and who awaits gets the error
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
     * @param bootloader runs before
     */
    public static ThreadTask<?> spawnThread(Body task, Body bootloader) {
        return ThreadTaskCore.start(Tasks.of(task), java.util.Objects.requireNonNull(bootloader, "bootloader"));
    }

    // ---- interop and information

    /**
     * Runs each task as a coroutine of this runtime; any thread may call it. It does not keep the run alive. In a shutdown the first
     * wait of a task throws; from the deadline of the shutdown on it rejects with {@link java.util.concurrent.RejectedExecutionException}.
     * While more than 100,000 tasks wait to begin, each call on a platform thread takes 0.1 ms, so that a flood does not fill the memory.
     */
    public static Executor executor() {
        return LoopExecutor.of(Runtimes.here("Async.executor"));
    }

    /**
     * Makes threads that are coroutines of this runtime from the moment that they are started. {@code Thread.interrupt} ends what such a thread, or any other that is a
     * coroutine, waits for: the JDK's waits as usual, ours by an {@link AsyncCancellation} that names it.
     */
    public static ThreadFactory threadFactory() {
        return LoopExecutor.of(Runtimes.here("Async.threadFactory"));
    }

    /**
     * What this runtime does and has done. Any thread: one that belongs to no runtime is told of the only one in the process, see
     * {@link AsyncRuntime#stats()}, and gets {@link RuntimeStats#NONE} if there is none.
     *
     * @throws AsyncException on a thread that belongs to no runtime while several run: {@link AsyncRuntime#stats()} says of one
     */
    public static RuntimeStats runtimeStats() {
        return LoopStats.here();
    }

    /**
     * This runtime as text for a person to read: a line of counts, then the tree of scopes with their coroutines, where each was spawned, what it awaits and
     * where; coroutines that look the same share an entry. Shows code and names, never the program's values. It takes as long as thousands of stack traces
     * take, and holds the loop for that time.
     *
     * <p>On a thread that is no loop: all runtimes of the process. What a loop that is held does not tell within a second is replaced by who holds it.
     * {@link AsyncRuntime#dump()} is for one runtime, from any thread.
     */
    public static String dump() {
        return Dump.here();
    }

    private static Completable<?> token(Completable<?> cancellation) {
        return java.util.Objects.requireNonNull(cancellation, "cancellation");
    }

    /** How much can run at the same time, which is 1 or more: the processors, or what a container leaves of them. The same throughout a process. */
    public static int availableParallelism() {
        return Machine.parallelism();
    }

    /**
     * The processor time that this process has taken since the last call of this method, from whatever thread; zeros the first time. Several who measure
     * use {@link CpuUsage#between}.
     */
    public static CpuUsage cpuUsage() {
        return CpuMeter.OF_PROCESS.sinceLast();
    }

    /** How many threads of the machine ran or were ready, on average over 1, 5 and 15 minutes; empty where the system does not tell, as off Linux. */
    public static double[] loadAverage() {
        return Machine.loadAverage();
    }
}
