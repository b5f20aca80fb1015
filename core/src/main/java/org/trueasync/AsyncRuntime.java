package org.trueasync;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.run.LoopStats;
import org.trueasync.internal.run.ProcessEnd;
import org.trueasync.internal.run.Reactors;
import org.trueasync.internal.run.RuntimeDump;
import org.trueasync.internal.run.WatchedRun;
import org.trueasync.internal.task.Settings;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.RunOrder;

/**
 * One runtime: a loop thread, its reactor and its coroutines. {@link Async#run} is the short form; this class lets a
 * program choose the reactor or the stack size, or stop a run from another thread. An object runs once.
 *
 * <p>Any thread. {@link #run} makes the calling thread the loop thread, unless a stack size was set or the calling
 * thread is virtual.
 */
public final class AsyncRuntime {
    private final Settings settings;
    private final WatchedRun run;
    private boolean used;
    private final boolean endsBeforeTheProcess;

    private AsyncRuntime(Settings settings, boolean endsBeforeTheProcess) {
        this.settings = settings;
        this.run = new WatchedRun(settings, true);
        this.endsBeforeTheProcess = endsBeforeTheProcess;
    }

    /**
     * Runs main as the main coroutine; returns when main and everything that it started have ended. The loop runs on
     * the calling thread, or on a new platform thread if a stack size was set or the calling thread is virtual. An
     * error that main throws, or that no code handles, ends the run and is thrown.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     * @throws OperationCanceledException if a wait in main was given up, because of a timeout for instance, and main
     *     did not catch that
     * @throws CompletionException with a checked exception that ended the run as its cause
     * @throws AsyncException inside a runtime, if virtual threads or the reactor are not available, or on a second call
     * @throws DeadlockError if coroutines waited and nothing could wake them
     */
    public <T> @Nullable T run(Callable<T> main) {
        Objects.requireNonNull(main, "main");
        synchronized (this) {
            if (used) throw new AsyncException("runtime '" + settings.name() + "' has been run; build another one");
            used = true;
        }
        try {
            return run.run(
                    () -> {
                        if (endsBeforeTheProcess)
                            ProcessEnd.add(run, settings.drainTimeout().plus(settings.shutdownTimeout()));
                    },
                    main);
        } catch (AsyncCancellation e) {
            // the end of the process asked for this cancellation: it is no error
            if (e instanceof ProcessEnd.Reason) return null;
            throw e;
        } finally {
            if (endsBeforeTheProcess) ProcessEnd.remove(run);
        }
    }

    /**
     * As {@link #run(Callable)}, for a program without a result.
     *
     * @param main the program
     */
    public void run(Body main) {
        run(Tasks.of(main));
    }

    /**
     * As {@link #run(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param main the program
     * @return what main returned; null if it was cancelled
     */
    public <T> @Nullable T run(Task<T> main) {
        return run((Callable<T>) main);
    }

    /**
     * Asks for a graceful shutdown: the run drains if work is under way, at most for the
     * {@linkplain Builder#drainTimeout drain timeout}; then every coroutine gets this cancellation. Any thread. Called
     * before the run begins, it takes effect when the run begins; called during a shutdown or after the end of the run,
     * it does nothing.
     *
     * @param reason what is thrown in the coroutines
     */
    public void shutdown(AsyncCancellation reason) {
        run.shutdown(Objects.requireNonNull(reason, "reason"));
    }

    /**
     * As {@link #shutdown}, without a drain. Ends a drain that goes on: the coroutines are cancelled now.
     *
     * @param reason what is thrown in the coroutines
     */
    public void shutdownNow(AsyncCancellation reason) {
        run.shutdownNow(Objects.requireNonNull(reason, "reason"));
    }

    /**
     * True while the run drains: it has been told to end, and goes on with the work that is under way. A health check
     * answers then that no more work is wanted. Any thread.
     */
    public boolean isDraining() {
        return run.handle().isDraining();
    }

    /**
     * Registers a hook for the drain of this run, see {@link org.trueasync.spi.Cleanup#onDrain}. Any thread, also
     * before the run begins; after its end it does nothing.
     *
     * @param hook called in a coroutine of its own; may suspend
     * @return the registration; any thread may close it
     */
    public Cleanup.Registration onDrain(Body hook) {
        return run.handle().onDrain(Objects.requireNonNull(hook, "hook"))::run;
    }

    /**
     * Runs a task in a coroutine of its own. Any thread, before and while the runtime runs; before, the task waits for
     * the run to begin. A caller that brings more than the loop can begin is slowed down, see {@link Async#executor()}.
     * Once it has begun, the task is a coroutine like any other: the run waits for it. A shutdown lets it go on for the
     * {@linkplain Builder#drainTimeout drain timeout}, and then cancels it.
     *
     * @param task what it does
     * @return a future of its outcome, for any thread; cancelling it cancels the coroutine. If the run ends before the
     *     task begins, has ended already, or is past the deadline of its shutdown, the future fails with a
     *     {@link RejectedExecutionException}
     */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        var submission = new Submission<T>(Objects.requireNonNull(task, "task"), settings.name());
        try {
            run.handle().execute(submission, settings.name());
        } catch (RejectedExecutionException e) {
            submission.outcome.completeExceptionally(e);
        }
        return submission.outcome;
    }

    /**
     * As {@link #submit(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public CompletableFuture<@Nullable Void> submit(Body task) {
        Objects.requireNonNull(task, "task");
        return submit(() -> {
            try {
                task.run();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new CompletionException(e);
            }
            return null;
        });
    }

    /**
     * As {@link #submit(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Task<T> task) {
        return submit((Callable<T>) task);
    }

    /**
     * Returns an executor that runs each task in a coroutine of its own, as {@link Async#executor()} does. Any thread,
     * also before the run begins: tasks then wait for its begin. From the deadline of a shutdown on, and after the end
     * of the run, it rejects them with {@link RejectedExecutionException}. From this call on, or from the first
     * {@code submit} on, nothing counts as a deadlock in this run, as another task may come; that does not keep the run
     * alive.
     */
    public Executor executor() {
        run.handle().expectTasks();
        return task -> run.handle().execute(Objects.requireNonNull(task, "task"), settings.name());
    }

    /**
     * Waits for the end of the run, also if the run has not begun. Any thread but the loop's.
     *
     * @param atMost how long, >= 0
     * @return false if the time ran out first
     * @throws IllegalArgumentException if negative
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return run.awaitEnd(TimeLimits.notNegative(atMost, "atMost"));
    }

    /**
     * Describes the runtime as text, see {@link Async#dump()}. Any thread. The loop writes the text as soon as it is
     * not blocked; if that takes longer than a second, the text says instead what blocks the loop, and where.
     */
    public String dump() {
        return RuntimeDump.of(settings.name(), run.handle().loop());
    }

    /**
     * Returns the counts of the runtime, {@link RuntimeStats#NONE} before it runs and after its end. Any thread. The
     * loop answers as soon as it is not blocked; if that takes longer than a second, the calling thread reads the
     * counts, and they may not quite agree with each other.
     */
    public RuntimeStats stats() {
        return LoopStats.of(run.handle().loop());
    }

    /**
     * Returns the coroutines that a shutdown cancelled and that did not end, one line each, as in the diagnostics. Any
     * thread, after the end of the run; before, the list is empty.
     */
    public List<String> survivors() {
        return run.handle().survivors();
    }

    /** Collects the settings of a runtime; each has a default. Belongs to whoever made it. */
    public static final class Builder {
        private String name = "trueasync";
        private @Nullable Supplier<Reactor> reactor;
        private long stackSize;
        private boolean spawnSites = Boolean.getBoolean("org.trueasync.spawnSites");
        private int minContexts = 4;
        private int maxContexts = 4_096;
        private Duration drainTimeout = Duration.ofSeconds(10);
        private Duration shutdownTimeout = Duration.ofSeconds(30);
        private boolean deadlockReports = true;
        private Duration heldLoopAfter = Duration.ofMillis(Long.getLong("org.trueasync.heldLoopAfter", 0));
        private Duration deadlockAfter =
                Duration.ofMillis(Math.max(10, Long.getLong("org.trueasync.deadlockAfter", 3_000)));
        private boolean standardStreams;
        private @Nullable RunOrder runOrder;
        private @Nullable Runnable heartbeat;
        private Consumer<String> diagnostics = DefaultDiagnostics::log;
        private boolean endsBeforeTheProcess;

        Builder() {}

        /**
         * Sets the name that messages show. If the loop runs on a thread of its own, that thread has the name too.
         * Default {@code trueasync}.
         *
         * @param name any; messages have it in one line, cut after 100 characters
         */
        public Builder name(String name) {
            String readable = Names.readable(name);
            this.name = readable == null ? "" : readable;
            return this;
        }

        /**
         * Sets the reactor to use. Default: the best one that works here. If libuv's is installed and another one is
         * used, that is reported once, see {@link #diagnostics}.
         *
         * @param name {@code libuv}, {@code nio}, or the name of a provider on the class path
         */
        public Builder reactor(String name) {
            Objects.requireNonNull(name, "name");
            return reactor(() -> Reactors.named(name));
        }

        /**
         * Sets a reactor of the program's own.
         *
         * @param factory called on the loop thread; the runtime closes the reactor
         */
        public Builder reactor(Supplier<Reactor> factory) {
            this.reactor = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /**
         * Runs the loop on a thread of its own with this stack size, while the caller waits. The size limits how deep
         * coroutines may recurse; the memory is reserved, not used up. Default 0: the calling thread, if that is a
         * platform thread.
         *
         * <p>A coroutine that suspends keeps its stack on the heap. With G1, that stack may take at most half a heap
         * region (512 KB if the heap may have 2 GB or less); a wait on a deeper stack throws
         * {@link StackOverflowError}. Larger regions ({@code -XX:G1HeapRegionSize=32m}) or another collector allow
         * more.
         *
         * @param bytes >= 0
         * @throws IllegalArgumentException if negative
         */
        public Builder stackSize(long bytes) {
            if (bytes < 0) throw new IllegalArgumentException("stackSize must be >= 0 bytes, got " + bytes);
            this.stackSize = bytes;
            return this;
        }

        /**
         * Sets whether each spawn records its line, and each future the lines that create and complete it, for reports;
         * costs a stack walk each time. Default: the system property {@code org.trueasync.spawnSites}, else false.
         *
         * @param on true to record
         */
        public Builder spawnSites(boolean on) {
            this.spawnSites = on;
            return this;
        }

        /**
         * Sets the minimum and the maximum number of idle stacks that are kept; between the two their number follows
         * the load. Default 4 and 4,096.
         *
         * @param min >= 0
         * @param max >= min
         * @throws IllegalArgumentException if out of range
         */
        public Builder idleContexts(int min, int max) {
            if (min < 0 || max < min)
                throw new IllegalArgumentException("idleContexts needs 0 <= min <= max, got " + min + " and " + max);
            this.minContexts = min;
            this.maxContexts = max;
            return this;
        }

        /**
         * Sets how long a graceful shutdown lets work go on that is under way, before it cancels the coroutines: tasks
         * of {@code executor()} and {@code submit}, and drain hooks ({@link AsyncRuntime#onDrain}). While the run
         * drains, its listening sockets refuse connections, and everything else goes on: {@code executor()} takes
         * tasks, too. The drain ends as soon as nothing is under way. What is still under way when the time is over is
         * named in the {@link #diagnostics}. A shutdown may take this time and the
         * {@linkplain #shutdownTimeout shutdown timeout} after it. Default 10 s.
         *
         * @param timeout >= 0; 0 for no drain
         * @throws IllegalArgumentException if negative
         */
        public Builder drainTimeout(Duration timeout) {
            this.drainTimeout = TimeLimits.notNegative(timeout, "drainTimeout");
            return this;
        }

        /**
         * Sets how long a graceful shutdown lets coroutines finish after their cancellation; after that they can't wait
         * any more. Default 30 s.
         *
         * @param timeout >= 0
         * @throws IllegalArgumentException if negative
         */
        public Builder shutdownTimeout(Duration timeout) {
            this.shutdownTimeout = TimeLimits.notNegative(timeout, "shutdownTimeout");
            return this;
        }

        /**
         * Makes the end of the process wait for the end of this runtime: a signal or {@code System.exit} asks the
         * runtime for a graceful shutdown, so that work under way is finished and every {@code finally} runs. The
         * process waits at most 2 s longer than {@linkplain #drainTimeout drain timeout} and {@linkplain
         * #shutdownTimeout shutdown timeout} together. A second SIGINT or SIGTERM, a second or more after the first,
         * ends the drain; where nothing drains, or after another second, it ends the wait. The exit status stays 128 +
         * n after signal n. Several runtimes end at the same time. The signals are those for which the JVM ends the
         * process: SIGTERM, SIGINT and SIGHUP. {@code org.trueasync.io.Signals.shutdownOn} adds others.
         * {@link AsyncRuntime#run(Callable)} returns null after such a shutdown. Default: the JVM ends without waiting.
         */
        public Builder shutdownOn() {
            endsBeforeTheProcess = true;
            return this;
        }

        /**
         * Sets the sink of reports, about a deadlock for instance. Default: the system logger {@code org.trueasync},
         * level WARNING.
         *
         * @param sink called in a coroutine, before the first coroutine, or on another thread than the loop's; may
         *     block
         */
        public Builder diagnostics(Consumer<String> sink) {
            this.diagnostics = Objects.requireNonNull(sink, "sink");
            return this;
        }

        /**
         * Sets whether a deadlock is reported before it is resolved; the {@link DeadlockError} says the same in the
         * end. Default true.
         *
         * @param on false for silence
         */
        public Builder deadlockReports(boolean on) {
            this.deadlockReports = on;
            return this;
        }

        /**
         * Sets how long one coroutine, or code in scheduler context, may block the loop before that is reported: to the
         * diagnostics sink, once for each place in the program, with the stack and advice, and as JFR event
         * {@code org.trueasync.HeldLoop}. A separate thread looks at the loop four times in that period, which costs
         * the loop nothing. The blocking code is never stopped. Default: the system property
         * {@code org.trueasync.heldLoopAfter} in milliseconds, else zero. Under the {@code trueasync} command 100 ms.
         *
         * @param limit 1 ms or more; zero for no reports
         * @throws IllegalArgumentException if negative, or positive and less than 1 ms
         */
        public Builder heldLoopAfter(Duration limit) {
            Duration bounded = TimeLimits.notNegative(limit, "heldLoopAfter");
            if (bounded.isPositive() && bounded.toMillis() == 0)
                throw new IllegalArgumentException("heldLoopAfter must be >= 1 ms, or 0 for no reports, got " + limit);
            this.heldLoopAfter = bounded;
            return this;
        }

        /**
         * Sets how long a loop must make no progress before it is checked for a deadlock. Default: the system property
         * {@code org.trueasync.deadlockAfter} in milliseconds, 10 or more, else 3 s.
         */
        Builder deadlockAfter(Duration after) {
            this.deadlockAfter = after;
            return this;
        }

        /**
         * Sets whether this run replaces the process's {@link System#in}, {@link System#out} and {@link System#err} as
         * it begins, unless the program has set its own: by streams that suspend only the coroutine that reads or
         * prints, where the JDK's hold the loop. They stay after the run. Default false: a library leaves what belongs
         * to the process alone. Under the {@code trueasync} command true.
         *
         * @param replaced true to replace them
         */
        public Builder standardStreams(boolean replaced) {
            this.standardStreams = replaced;
            return this;
        }

        /**
         * Sets, for tests, which ready coroutine runs next. Default: the first one in the run queue, which costs
         * nothing.
         *
         * @param order chooses at every switch
         */
        public Builder runOrder(RunOrder order) {
            this.runOrder = Objects.requireNonNull(order, "order");
            return this;
        }

        /**
         * Sets an action that is called each time a coroutine suspends or ends, before the next one is chosen: to
         * count, to look at the clock. It follows the rules of a microtask: it must be short and must not wait, and
         * what it throws is an unhandled error. Default: none, which costs nothing.
         *
         * @param beat called on the loop thread
         */
        public Builder heartbeat(Runnable beat) {
            this.heartbeat = Objects.requireNonNull(beat, "beat");
            return this;
        }

        /** Creates a runtime with these settings. */
        public AsyncRuntime build() {
            Consumer<String> sink = diagnostics;
            return new AsyncRuntime(
                    new Settings(
                            name,
                            reactor != null ? reactor : () -> Reactors.best(sink),
                            stackSize,
                            spawnSites,
                            minContexts,
                            maxContexts,
                            drainTimeout,
                            shutdownTimeout,
                            deadlockReports,
                            heldLoopAfter,
                            deadlockAfter,
                            standardStreams,
                            runOrder,
                            heartbeat,
                            diagnostics),
                    endsBeforeTheProcess);
        }

        /**
         * Builds and runs; see {@link AsyncRuntime#run(Callable)}.
         *
         * @param main the program
         */
        public <T> @Nullable T run(Callable<T> main) {
            return build().run(main);
        }

        /**
         * Builds and runs; see {@link AsyncRuntime#run(Body)}.
         *
         * @param main the program
         */
        public void run(Body main) {
            build().run(main);
        }

        /**
         * Builds and runs; see {@link AsyncRuntime#run(Task)}.
         *
         * @param main the program
         */
        public <T> @Nullable T run(Task<T> main) {
            return build().run(main);
        }
    }

    private static final class DefaultDiagnostics {
        static void log(String report) {
            System.getLogger("org.trueasync").log(System.Logger.Level.WARNING, report);
        }
    }
}
