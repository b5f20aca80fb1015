package org.trueasync.testkit;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.Task;
import org.trueasync.internal.testkit.Guarded;
import org.trueasync.internal.testkit.VirtualReactor;

/** The settings of a run in virtual time; each has a default. */
public final class VirtualRun {
    static final Duration REAL_TIME_LIMIT = Duration.ofSeconds(30);

    private Seed seed = Seed.PLAIN;
    private Duration realTimeLimit = REAL_TIME_LIMIT;
    private UnaryOperator<AsyncRuntime.Builder> runtime = builder -> builder;

    VirtualRun() {}

    /**
     * Sets the seed that a failed exploration has named. Default 0: the usual order, and computing takes no time.
     *
     * @param seed >= 0
     * @throws IllegalArgumentException if the seed is negative
     */
    public VirtualRun seed(long seed) {
        this.seed = new Seed(seed);
        return this;
    }

    /**
     * Sets how long the run may take in real time. A coroutine that holds the loop for half of that is reported.
     * Default 30 s.
     *
     * @param atMost 10 ms or more
     * @throws IllegalArgumentException if it is less
     */
    public VirtualRun realTimeLimit(Duration atMost) {
        this.realTimeLimit = requireTimeLimit(atMost);
        return this;
    }

    /**
     * Sets further options of the runtime.
     *
     * @param settings changes the builder that it gets, and returns it
     */
    public VirtualRun runtime(UnaryOperator<AsyncRuntime.Builder> settings) {
        this.runtime = Objects.requireNonNull(settings, "settings");
        return this;
    }

    /**
     * Runs the test; see {@link VirtualTime#run(Callable)}, also for what is thrown.
     *
     * @param main the test
     */
    public <T> @Nullable T run(Callable<T> main) {
        Objects.requireNonNull(main, "main");
        var run = new SingleRun(
                seed,
                VirtualReactor::new,
                null,
                builder -> runtime.apply(builder.spawnSites(true).heldLoopAfter(realTimeLimit.dividedBy(2))));
        return new Guarded<T>(() -> run.call(main), run, realTimeLimit).run();
    }

    /**
     * As {@link #run(Callable)}.
     *
     * @param main the test
     */
    public <T> @Nullable T run(Task<T> main) {
        return run((Callable<T>) main);
    }

    /**
     * Runs the test; see {@link VirtualTime#run(Callable)}, also for what is thrown.
     *
     * @param main the test
     */
    public void run(Body main) {
        run(SingleRun.task(main));
    }

    static Duration requireTimeLimit(Duration atMost) {
        if (Objects.requireNonNull(atMost, "atMost").compareTo(Duration.ofMillis(10)) < 0)
            throw new IllegalArgumentException("realTimeLimit must be >= 10 ms, got " + atMost);
        return atMost;
    }
}
