package org.trueasync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.AwaitingSeveral;
import org.trueasync.internal.await.Delays;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopExecutor;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.run.LoopStats;
import org.trueasync.internal.run.Machine;
import org.trueasync.internal.run.RuntimeDump;
import org.trueasync.internal.scope.Iterating;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.threads.ThreadTaskCore;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.internal.work.Blocking;

/**
 * The entry point of the library. Made for {@code import static org.trueasync.Async.*}.
 *
 * <p>{@link #run} starts a runtime; most other methods are called from inside one. Coroutines of a runtime share one
 * thread and switch only where they wait, so they share plain mutable state without locks. Ordinary blocking JDK code
 * (sockets, locks, sleep, HttpClient) suspends the coroutine that calls it, not the thread.
 *
 * <p>Work is a {@link Callable} if it has a value, and otherwise a {@link Body}; both may throw. Whoever waits for the
 * work gets what it threw, a checked exception as the cause of a {@link java.util.concurrent.CompletionException}. The
 * methods that run a {@link Section} do it in the caller, and throw its exceptions unchanged. A trailing
 * {@link Completable} is a token: the wait is given up when that ends.
 *
 * <p>Loop thread only, except {@code run}, which begins a runtime where there is none, {@code availableParallelism},
 * {@code coroutines}, {@code cpuUsage}, {@code dump}, {@code lazily}, {@code loadAverage}, {@code remaining},
 * {@code runtime} and {@code runtimeStats}. A method that needs a runtime throws {@link AsyncException} where there is
 * none. A method that has to wait also throws it outside a coroutine, in scheduler context (a microtask, a switch
 * handler), and in a coroutine that is pinned.
 */
public final class Async {
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
     * As {@link #run(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     */
    public static <T> @Nullable T run(Task<T> main) {
        return runtime().run(main);
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
     * As {@link #spawn(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     */
    public static <T> Coroutine<T> spawn(Task<T> task) {
        return spawn((Callable<T>) task);
    }

    /**
     * As {@link #spawn(Callable)}, with a name: {@code toString}, dumps, reports and the flight recorder show it, and
     * it is what {@link Thread#getName} returns in the task. Several coroutines may have the same one.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param task what it does
     * @return its handle
     */
    public static <T> Coroutine<T> spawn(String name, Callable<T> task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Callable)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public static Coroutine<?> spawn(String name, Body task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param name for reports
     * @param task what it does
     */
    public static <T> Coroutine<T> spawn(String name, Task<T> task) {
        return spawn(name, (Callable<T>) task);
    }

    private static <T> Coroutine<T> named(String name, Object task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, Objects.requireNonNull(name, "name"), task);
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
     * As {@link #launch(Body)}, with a name.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public static Coroutine<?> launch(String name, Body task) {
        return Runtimes.here("Async.launch")
                .spawn(CoroutineKind.LAUNCHED, Objects.requireNonNull(name, "name"), Tasks.task(task));
    }

    /**
     * Queues a new coroutine in the scope that the provider chooses, and tells the provider about the coroutine if the
     * provider is a {@link SpawnStrategy}.
     *
     * @param provider a scope, or an object that chooses one. If that throws, the error is thrown here, and nothing is
     *     spawned. If {@link SpawnStrategy#afterEnqueue} throws, the coroutine exists already, and is cancelled
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
     * As {@link #spawnWith(ScopeProvider, Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param provider a scope, or an object that chooses one
     * @param task what it does
     */
    public static <T> Coroutine<T> spawnWith(ScopeProvider provider, Task<T> task) {
        return spawnWith(provider, (Callable<T>) task);
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
        Delays.sleep(TimerHeap.nanosOfMillis(millis), token(cancellation));
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
        Delays.sleep(nanos, token(cancellation));
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
        Objects.requireNonNull(reason, "reason");
        Runtimes.here("Async.gracefulShutdown").shutDown(reason);
    }

    // ---- sections of the caller's own code

    /**
     * Runs a section in which no cancellation is thrown. A cancellation that comes meanwhile ends the first wait after
     * the outermost section, either one of this library or one of the JDK, which is interrupted; a coroutine that does
     * not wait any more ends as cancelled. A cancellation that is pending before is thrown before an outermost section
     * begins. The cancellations of a deadlock and of a shutdown are not deferred. An interrupt status is hidden from
     * the section.
     *
     * @param section the work that must not be interrupted
     * @return the section's value
     * @throws X what the section throws, unchanged
     * @throws AsyncCancellation if one was pending before the section, which does not begin then; or if the section
     *     failed and a cancellation came meanwhile: then what the section threw is attached to it
     * @throws AsyncException outside a coroutine
     */
    public static <T, X extends Exception> T protect(Section<T, X> section) throws X {
        return Runtimes.currentCoroutine("Async.protect").protect(Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #protect(Section)}, for a section without a result.
     *
     * @param section the work that must not be interrupted
     * @throws X what the section throws, unchanged
     */
    public static <X extends Throwable> void protect(VoidSection<X> section) throws X {
        Runtimes.currentCoroutine("Async.protect").protect(Tasks.of(section));
    }

    /**
     * Runs a section with a time limit. When the time is over, the section is cancelled as a coroutine is: its current
     * wait throws an {@link AsyncCancellation}, or is interrupted if it is one of the JDK. The section may clean up,
     * and this method returns or throws only when it has ended. The coroutine itself is not cancelled by that.
     *
     * <p>If the section succeeds nevertheless, because it does not wait any more or catches the cancellation, its value
     * is returned. Whatever defers a cancellation, as {@link #protect} inside the section does, defers the limit too.
     * Limits nest; the one that is over first counts.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work; coroutines that it has spawned are not cancelled, unless it closes a {@link Scope} that
     *     owns them
     * @return the section's value
     * @throws X what the section throws, unchanged; also after the limit, unless it was caused by the cancellation
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     * @throws IllegalArgumentException if the limit is negative
     * @throws AsyncCancellation if the coroutine itself was cancelled
     * @throws AsyncException outside a coroutine
     */
    public static <T, X extends Exception> T withTimeout(Duration limit, Section<T, X> section) throws X {
        return within(limit, Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for a section without a result.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work
     * @throws X what the section throws, unchanged
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     */
    public static <X extends Throwable> void withTimeout(Duration limit, VoidSection<X> section) throws X {
        within(limit, Tasks.of(section));
    }

    /**
     * Returns the time that limits leave to the code that asks: the limit of a {@link #withTimeout} around it, or a
     * {@link Scope#disposeAfterTimeout} of its coroutine's scope or of one above that. If there are several, the one
     * that is over first counts. For what has to know the time: a header that passes it on to another service, the
     * timeout of a driver, a retry that would come too late.
     *
     * <p>The limit of a section belongs to the coroutine that runs the section. A coroutine that the section spawns
     * does not see it, even if the section waits for it: pass the time on, to a {@code withTimeout} in the coroutine. A
     * limit that {@link #protect} defers does not count in there. Tokens, and the time that a shutdown leaves, are no
     * limits of this kind.
     *
     * @return the time, by the clock of the runtime; zero if it is over, so also in the clean-up of the section; null
     *     if there is no limit, and outside a coroutine
     */
    public static @Nullable Duration remaining() {
        Loop here = Runtimes.hereOrNull();
        CoroutineImpl<?> self = here == null ? null : here.running();
        long nanos = self == null ? SectionLimit.NONE : self.remaining();
        return nanos == SectionLimit.NONE ? null : Duration.ofNanos(nanos);
    }

    private static <T> T within(Duration limit, Callable<T> section) {
        TimeLimits.notNegative(limit, "limit");
        return Runtimes.currentCoroutine("Async.withTimeout").within(limit, section);
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
        return Awaiting.one(awaited, token(cancellation));
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
        return Awaiting.stage(foreign, token(cancellation));
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

    // ---- waiting for several

    // All forms have the same rules, which stand at awaitAll.

    /**
     * Waits until all have ended; no error of theirs is thrown.
     *
     * <p>All waits for several have the same rules. Members may come from a collection, a map or a {@linkplain #lazily
     * lazy source}. A member that has ended already counts at once; of several such members, the first one in the input
     * comes first. A checked exception of a member appears as the cause of a
     * {@link java.util.concurrent.CompletionException}. If a lazy source throws, the wait ends at once and throws that
     * error. Members that are not needed for the result go on, and the call has unsubscribed from them when it returns.
     * With {@link AwaitOption#PARTIAL} a form with a token returns the outcomes so far when the token ends, and throws
     * no {@link OperationCanceledException}.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <T> Outcomes<Integer, T> awaitAll(
            Iterable<? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, null)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> Outcomes<Integer, T> awaitAll(
            Iterable<? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}. A token in the arguments is only one more member to wait for: to
     * give up when it ends, pass a list and a token.
     *
     * @param first what to wait for
     * @param more what to wait for as well
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // read only
    public static <T> Outcomes<Integer, T> awaitAll(Completable<? extends T> first, Completable<? extends T>... more) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, listed(first, more), null)
                .outcomes();
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Outcomes<K, T> awaitAll(
            Map<K, ? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, null)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Outcomes<K, T> awaitAll(
            Map<K, ? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * Waits until all have ended and returns their values, in the order of the input. The first error, in the order of
     * ending, is thrown at once; the other members go on.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <T> List<T> awaitAllOrFail(Iterable<? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, null)
                .values(options);
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> List<T> awaitAllOrFail(
            Iterable<? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, token(cancellation), options)
                .values(options);
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}. A token in the arguments is only one more member to wait
     * for: to give up when it ends, pass a list and a token.
     *
     * @param first what to wait for
     * @param more what to wait for as well
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // read only
    public static <T> List<T> awaitAllOrFail(Completable<? extends T> first, Completable<? extends T>... more) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, listed(first, more), null)
                .values();
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Map<K, T> awaitAllOrFail(
            Map<K, ? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, null)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * As {@link #awaitAllOrFail(Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Map<K, T> awaitAllOrFail(
            Map<K, ? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, token(cancellation), options)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * Returns the value of the first member that ends, or throws its error. Null if there are no members.
     *
     * @param any what to wait for
     */
    public static <T> @Nullable T awaitAnyOrFail(Iterable<? extends Completable<? extends T>> any) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, null).first();
    }

    /**
     * As {@link #awaitAnyOrFail(Iterable)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> @Nullable T awaitAnyOrFail(
            Iterable<? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, token(cancellation))
                .first();
    }

    /**
     * Waits until one has succeeded, or all have failed; no error of theirs is thrown.
     *
     * @param any what to wait for
     */
    public static <T> FirstSuccess<T> awaitFirstSuccess(Iterable<? extends Completable<? extends T>> any) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, null).firstSuccess();
    }

    /**
     * As {@link #awaitFirstSuccess(Iterable)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> FirstSuccess<T> awaitFirstSuccess(
            Iterable<? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, token(cancellation))
                .firstSuccess();
    }

    /**
     * Waits until {@code count} members have succeeded, or all have ended; no error of theirs is thrown. Returns the
     * outcomes of the members that have ended by then.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     * @throws IllegalArgumentException if the count is negative
     */
    public static <T> Outcomes<Integer, T> awaitAnyOf(
            int count, Iterable<? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, null).outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> Outcomes<Integer, T> awaitAnyOf(
            int count,
            Iterable<? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Outcomes<K, T> awaitAnyOf(
            int count, Map<K, ? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, null).outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Outcomes<K, T> awaitAnyOf(
            int count,
            Map<K, ? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * Returns the values of the first {@code count} members that succeed, in the order of the input. An error before
     * that is thrown at once.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     * @throws IllegalArgumentException if the count is negative
     */
    public static <T> List<T> awaitAnyOfOrFail(
            int count, Iterable<? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, null)
                .values(options);
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> List<T> awaitAnyOfOrFail(
            int count,
            Iterable<? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, token(cancellation), options)
                .values(options);
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Map<K, T> awaitAnyOfOrFail(
            int count, Map<K, ? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, null)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Map<K, T> awaitAnyOfOrFail(
            int count,
            Map<K, ? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, token(cancellation), options)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * Returns a lazy source for these waits: a helper coroutine takes its elements while the wait goes on; making an
     * element may suspend. For a collection whose iteration suspends, and for streams and iterators, whose source can
     * be used once: {@code lazily(stream::iterator)}, {@code lazily(() -> iterator)}. An {@code Iterable} that is no
     * collection is a lazy source by itself.
     *
     * @param source the elements, for instance of coroutines that it spawns one after the other
     */
    public static <M> Iterable<M> lazily(Iterable<M> source) {
        Objects.requireNonNull(source, "source");
        return () -> source.iterator();
    }

    // ---- iteration

    /**
     * Calls an action for each item. Returns when all calls have ended, and all coroutines that they have spawned. One
     * coroutine takes the items and calls the action; while the action waits, another one goes on with the next item.
     * So actions that wait overlap, and an action that does not wait costs no coroutine of its own. Items are taken in
     * order, one at a time, even if taking one waits.
     *
     * <p>When an action returns false, no further items are taken; the actions in progress run to their end. When an
     * action or the source throws, no further items are taken either, and the other actions are cancelled. When they
     * have ended, that error is thrown, a checked exception as the cause of a
     * {@link java.util.concurrent.CompletionException}. Coroutines that the actions spawn belong to this call: an
     * unobserved error of one of them ends the call in the same way. Cancelling the caller cancels the actions.
     *
     * @param source the items: of a collection, those that it has now; anything else is pulled as needed
     * @param action called for each item, in coroutines of a scope of their own
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are cancelled when all actions have ended,
     *     or awaited
     * @throws IllegalArgumentException if the concurrency is negative
     * @throws AsyncException outside a coroutine, or if the caller's scope has been cancelled
     * @throws AsyncCancellation if the caller was cancelled; the actions have ended then
     */
    public static <E> void iterate(
            Iterable<? extends E> source, IterateAction<? super E> action, int concurrency, boolean cancelPending) {
        Iterating.iterate(source, action, concurrency, cancelPending);
    }

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}, with any number of actions in progress; coroutines
     * that actions have spawned are cancelled in the end.
     *
     * @param source the items
     * @param action called for each item
     */
    public static <E> void iterate(Iterable<? extends E> source, IterateAction<? super E> action) {
        Iterating.iterate(source, action, 0, true);
    }

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}; coroutines that actions have spawned are cancelled in
     * the end.
     *
     * @param source the items
     * @param action called for each item
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     */
    public static <E> void iterate(Iterable<? extends E> source, IterateAction<? super E> action, int concurrency) {
        Iterating.iterate(source, action, concurrency, true);
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
     * As {@link #spawnThread(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static ThreadTask<?> spawnThread(Body task) {
        return ThreadTaskCore.start(Tasks.of(task), null);
    }

    /**
     * As {@link #spawnThread(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     */
    public static <T> ThreadTask<T> spawnThread(Task<T> task) {
        return spawnThread((Callable<T>) task);
    }

    /**
     * As {@link #spawnThread(Callable)}, with an action that runs before the task.
     *
     * @param task what it does
     * @param bootloader runs on the thread before the task; if it fails, the task does not begin, and awaiting the
     *     handle throws a {@link RemoteException} with the error as its cause
     */
    public static <T> ThreadTask<T> spawnThread(Callable<T> task, Body bootloader) {
        return ThreadTaskCore.start(task, Objects.requireNonNull(bootloader, "bootloader"));
    }

    /**
     * Runs blocking code on a helper thread, so that only this coroutine waits. Up to 256 such calls run at the same
     * time in the process; the others wait for their turn.
     *
     * <p>The task is not in a coroutine: methods that need one can't be called there, and objects that it shares with
     * coroutines must be thread-safe. A cancellation ends the wait at once and interrupts the thread, but it can't make
     * the task stop. The result or error of a task whose wait has ended is dropped: a task that opens something that
     * has to be closed should hand it over in another way.
     *
     * @param task what it does
     * @return its value
     * @throws AsyncCancellation if this coroutine was cancelled; a task that has not begun is then not run
     * @throws java.util.concurrent.CompletionException with a checked exception of the task as its cause, as it comes
     *     from another thread
     */
    public static <T> T blocking(Callable<T> task) {
        return Blocking.call(Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #blocking(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static void blocking(Body task) {
        Blocking.call(Tasks.of(task));
    }

    /**
     * As {@link #blocking(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     * @return its value
     */
    public static <T> T blocking(Task<T> task) {
        return blocking((Callable<T>) task);
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
     *
     * <p>A thread has the scoped values and the inherited thread locals of whoever made it, to its end: in a pool that
     * keeps its threads, tasks see those of the first one.
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

    private static Completable<?> token(Completable<?> cancellation) {
        return Objects.requireNonNull(cancellation, "cancellation");
    }

    private static <T> List<Completable<? extends T>> listed(
            Completable<? extends T> first, Completable<? extends T>[] more) {
        var all = new ArrayList<Completable<? extends T>>(more.length + 1);
        all.add(first);
        for (Completable<? extends T> member : more) all.add(member);
        return all;
    }
}
