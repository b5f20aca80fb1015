package org.trueasync.internal.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.OperationCanceledException;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.error.Throwing;

/**
 * A runtime on virtual time, with spawn sites on and its reports kept. The loop has a thread of its own, so that a run
 * that does not end fails its test, with the loop's stack, instead of hanging the build.
 */
public final class TestRuntime {
    private static final Duration TIMEOUT = Duration.ofSeconds(200);

    private final VirtualReactor reactor = new VirtualReactor();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final AsyncRuntime runtime;
    private volatile @Nullable Thread loop;

    /** A runtime with the default settings. */
    public TestRuntime() {
        this(builder -> builder);
    }

    /**
     * A runtime with settings of its own.
     *
     * @param settings what differs from the usual
     */
    public TestRuntime(UnaryOperator<AsyncRuntime.Builder> settings) {
        runtime = settings.apply(Async.runtime()
                        .name("test")
                        .reactor(this::reactorHere)
                        .spawnSites(true)
                        .diagnostics(reports::add))
                .build();
    }

    /** The runtimes that a run starts on other threads have reactors of their own. */
    private VirtualReactor reactorHere() {
        return Thread.currentThread() == loop ? reactor : new VirtualReactor();
    }

    /** What a test does in its main coroutine, when it wants to look at the runtime as well. */
    @FunctionalInterface
    public interface TestBody {
        /**
         * Does it.
         *
         * @param runtime the one it runs in
         * @throws Throwable whatever it throws
         */
        void run(TestRuntime runtime) throws Throwable;
    }

    /**
     * Runs a body as the main coroutine of a new runtime; throws what the run throws.
     *
     * @param main the body
     */
    public static TestRuntime run(Body main) {
        return run(runtime -> main.run());
    }

    /**
     * Runs a body as the main coroutine of a new runtime; throws what the run throws.
     *
     * @param main the body
     */
    public static TestRuntime run(TestBody main) {
        var runtime = new TestRuntime();
        runtime.call(() -> {
            perform(main, runtime);
            return null;
        });
        return runtime;
    }

    /**
     * Runs a body that makes the run fail, and returns what the run threw.
     *
     * @param main the body
     */
    public static Throwable failureOf(Body main) {
        return new TestRuntime().failure(main);
    }

    /**
     * What the counters of the current runtime counted while the body ran; the fields that are no counters are as they
     * were at the end.
     *
     * @param body called in a coroutine
     */
    public static RuntimeStats counting(Body body) {
        RuntimeStats before = Async.runtimeStats();
        perform(runtime -> body.run(), null);
        RuntimeStats after = Async.runtimeStats();
        return new RuntimeStats(
                after.coroutines(),
                after.notBegun(),
                after.running(),
                after.suspended(),
                after.queued(),
                after.blocked(),
                after.activeEvents(),
                after.timers(),
                after.reactorHandles(),
                after.idleContexts(),
                after.spawned() - before.spawned(),
                after.contextsCreated() - before.contextsCreated(),
                after.directSwitches() - before.directSwitches(),
                after.schedulerSwitches() - before.schedulerSwitches(),
                after.contextReuses() - before.contextReuses(),
                after.reactorTurns() - before.reactorTurns(),
                after.utilisation(),
                after.lagMillis(),
                after.heldMillis() - before.heldMillis(),
                after.holds() - before.holds());
    }

    /**
     * As {@link #failureOf}, on this runtime. An assertion that fails in the body itself is no failure of the run: it
     * is thrown.
     *
     * @param main the body
     */
    public Throwable failure(Body main) {
        var failed = new AtomicReference<@Nullable AssertionError>();
        try {
            call(() -> {
                try {
                    perform(runtime -> main.run(), this);
                } catch (AssertionError e) {
                    failed.set(e);
                    throw e;
                }
                return null;
            });
        } catch (Throwable thrown) {
            AssertionError assertion = thrown instanceof StuckError stuck ? stuck : failed.get();
            if (assertion != null) throw assertion;
            return thrown;
        }
        throw new AssertionError("the run was expected to throw, and returned");
    }

    /**
     * Runs the main coroutine and returns its value; throws what the run throws.
     *
     * @param main the main coroutine
     */
    @SuppressWarnings("unchecked")
    public <T> @Nullable T call(Callable<T> main) {
        var outcome = new Object() {
            volatile @Nullable Object value;
            volatile @Nullable Throwable thrown;
        };
        Thread running = new Thread(
                () -> {
                    try {
                        outcome.value = runtime.run(main);
                    } catch (Throwable e) {
                        outcome.thrown = e;
                    }
                },
                "test-loop");
        running.setDaemon(true);
        loop = running;
        running.start();
        try {
            if (!running.join(TIMEOUT)) throw new StuckError(running);
        } catch (InterruptedException e) {
            throw new AssertionError("the test itself was interrupted", e);
        }
        Throwable thrown = outcome.thrown;
        if (thrown != null) throw Throwing.sneaky(thrown);
        return (T) outcome.value;
    }

    /**
     * As {@link #call}, for a body.
     *
     * @param main the main coroutine
     */
    public void start(Body main) {
        call(() -> {
            perform(runtime -> main.run(), this);
            return null;
        });
    }

    /** Its reactor: the clock to push and the turns to count. */
    public VirtualReactor reactor() {
        return reactor;
    }

    /** What it reported so far. */
    public List<String> reports() {
        return reports;
    }

    /** The runtime itself. */
    public AsyncRuntime runtime() {
        return runtime;
    }

    /** The run did not end in time. */
    private static final class StuckError extends AssertionError {
        private static final long serialVersionUID = 1;

        StuckError(Thread loop) {
            super("the run did not end within " + TIMEOUT.toSeconds() + " s; the stack is the loop's");
            setStackTrace(loop.getStackTrace());
        }
    }

    private static void perform(TestBody body, @Nullable TestRuntime runtime) {
        try {
            body.run(runtime);
        } catch (AsyncCancellation e) {
            // a wait of main's own that was given up is an error of the run
            if (!(e instanceof OperationCanceledException)
                    && !Async.currentCoroutine().isCancellationRequested()) throw new EscapedCancellation(e);
            throw e;
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * A run ends quietly with a cancellation that its main coroutine lets pass, and what the test asserts after it
     * would not be asserted.
     */
    private static final class EscapedCancellation extends AssertionError {
        private static final long serialVersionUID = 1;

        EscapedCancellation(AsyncCancellation cancellation) {
            super("the body let a cancellation pass that was not meant for it", cancellation);
        }
    }
}
