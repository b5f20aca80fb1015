package org.trueasync.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.internal.testkit.Guarded;
import org.trueasync.internal.testkit.Trace;
import org.trueasync.internal.testkit.VirtualReactor;

/** The settings of an exploration; each has a default. */
public final class Exploration {
    private final int orders;
    private Set<Vary> varied = EnumSet.of(Vary.COMPLETIONS);
    private long from = 1;
    private Duration realTimeLimit = VirtualRun.REAL_TIME_LIMIT;
    private UnaryOperator<AsyncRuntime.Builder> runtime = builder -> builder;
    private SingleRun.World world = VirtualReactor::new;

    Exploration(int orders) {
        if (orders < 1) throw new IllegalArgumentException("orders must be >= 1, got " + orders);
        this.orders = orders;
    }

    /**
     * Sets what differs between the runs. Default {@link Vary#COMPLETIONS}.
     *
     * @param what one or both
     * @throws IllegalArgumentException if there is none
     */
    public Exploration varying(Vary... what) {
        if (what.length == 0) throw new IllegalArgumentException("varying needs one Vary at least, got none");
        varied = EnumSet.copyOf(List.of(what));
        return this;
    }

    /**
     * Sets the number of the first seed, so that a nightly test can explore other seeds than the test by day. Default
     * 1.
     *
     * @param number 1 or more
     * @throws IllegalArgumentException if it is less, or so large that it leaves too few seeds after it
     */
    public Exploration from(long number) {
        if (number < 1 || number > Seed.LAST - orders)
            throw new IllegalArgumentException("from must be 1 to " + (Seed.LAST - orders) + ", got " + number);
        from = number;
        return this;
    }

    /**
     * Sets how long one run may take in real time. Default 30 s.
     *
     * @param atMost 10 ms or more
     * @throws IllegalArgumentException if it is less
     */
    public Exploration realTimeLimit(Duration atMost) {
        realTimeLimit = VirtualRun.requireTimeLimit(atMost);
        return this;
    }

    /**
     * Sets further options of the runtimes.
     *
     * @param settings changes the builder that it gets, and returns it
     */
    public Exploration runtime(UnaryOperator<AsyncRuntime.Builder> settings) {
        runtime = Objects.requireNonNull(settings, "settings");
        return this;
    }

    /** Sets the factory of the runs' reactors, for a reactor with sockets for instance. */
    Exploration world(SingleRun.World other) {
        world = other;
        return this;
    }

    /**
     * Explores; see {@link Schedules#explore}. If {@link Schedules#SEED_PROPERTY} is set, runs that seed alone.
     *
     * @param body the test
     * @throws ScheduleFailure if one of the runs fails
     * @throws AssertionError if one run takes longer than the real-time limit, or the calling thread is interrupted
     * @throws IllegalArgumentException if the property is less than 0
     */
    public void run(Body body) {
        Long chosen = Long.getLong(Schedules.SEED_PROPERTY);
        if (chosen != null) replay(chosen, body);
        else guarded(body, new Runs());
    }

    /** Runs one seed. */
    void replay(long seed, Body body) {
        guarded(body, new Runs(new Seed(seed)));
    }

    private void guarded(Body body, Runs runs) {
        Callable<Object> task = SingleRun.task(body);
        new Guarded<>(() -> runs.run(task), runs, realTimeLimit).run();
    }

    /** All runs of the exploration, one after another, on one thread. */
    private final class Runs implements Guarded.Watched {
        private final @Nullable Seed only;
        private volatile int done;
        private volatile @Nullable SingleRun running;
        private volatile Seed seed = Seed.PLAIN;

        Runs() {
            only = null;
        }

        Runs(Seed only) {
            this.only = only;
        }

        @Nullable
        Object run(Callable<Object> task) {
            int count = only == null ? orders : 1;
            for (int i = 0; i < count; i++) {
                seed = seedOf(i);
                List<String> reports = reports();
                Trace trace = only == null ? null : new Trace(true);
                Throwable thrown = failure(task, reports, trace);
                if (thrown != null) throw Guarded.sneaky(failureReport(thrown, i, task, reports, trace));
                done = i + 1;
            }
            return null;
        }

        private Seed seedOf(int i) {
            if (only != null) return only;
            return i == 0 ? Seed.PLAIN : Seed.numbered(from + i - 1, varied);
        }

        private List<String> reports() {
            return Collections.synchronizedList(new ArrayList<>(0));
        }

        private @Nullable Throwable failure(Callable<Object> task, List<String> reports, @Nullable Trace trace) {
            var run = new SingleRun(
                    seed,
                    world,
                    trace,
                    builder -> runtime.apply(builder.spawnSites(trace != null).diagnostics(reports::add)));
            running = run;
            try {
                run.call(task);
                return null;
            } catch (Throwable e) {
                return e;
            }
        }

        /**
         * Returns the error for the user. If many seeds are explored, runs the failed one a second time: that records
         * what happens, and shows whether the seed alone repeats the failure. A test that was aborted is not run
         * again.
         */
        private Throwable failureReport(
                Throwable thrown, int i, Callable<Object> task, List<String> reports, @Nullable Trace trace) {
            if (thrown.getClass().getName().equals("org.opentest4j.TestAbortedException")) return thrown;
            if (only != null) return new ScheduleFailure(seed, "", thrown, reports, trace);
            String which = "order " + (i + 1) + " of " + orders + ", ";
            List<String> secondReports = reports();
            var secondTrace = new Trace(true);
            Throwable second = failure(task, secondReports, secondTrace);
            if (second != null) return new ScheduleFailure(seed, which, second, secondReports, secondTrace);
            return new ScheduleFailure(
                    seed,
                    which + "which did not fail again, so the body depends on more than the seed"
                            + " (state that runs share, real threads, the wall clock): ",
                    thrown,
                    reports,
                    null);
        }

        @Override
        public long progress() {
            return done;
        }

        @Override
        public String state() {
            SingleRun run = running;
            return seed + (run == null ? "" : "; " + run.state());
        }

        @Override
        public void stop() {
            SingleRun run = running;
            if (run != null) run.stop();
        }
    }
}
