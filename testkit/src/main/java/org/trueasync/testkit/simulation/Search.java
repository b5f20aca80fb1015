package org.trueasync.testkit.simulation;

import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.Guarded;
import org.trueasync.internal.testkit.Trace;
import org.trueasync.testkit.Schedules;

/** Runs a scenario with many seeds, finds the shortest run that fails, and tells of it. */
final class Search implements Guarded.Watched {
    private static final Duration REAL_TIME_LIMIT = Duration.ofSeconds(30);

    /** How many events a message shows; the failure has all of them. */
    private static final int SHOWN = 40;

    /** How often a failing seed is run to find fewer faults. */
    private static final int SHRINKS = 200;

    /** The file for a trace of the seed that fails, or of the only one; null: none. */
    private static final @Nullable String TIMELINE = System.getProperty("org.trueasync.testkit.timeline");

    /** By name, as core's tests are compiled without it. */
    private static final String TIMELINE_WRITER = "org.trueasync.internal.testkit.timeline.SimulationTimeline";

    private final Scenario scenario;
    private final Duration realTimeLimit;
    private final Map<String, Boolean> reached = new ConcurrentSkipListMap<>();
    private final AtomicLong done = new AtomicLong();
    private volatile @Nullable SimulatedRun running;
    private volatile long seed;
    private volatile long passed;

    Search(Scenario scenario) {
        this(scenario, REAL_TIME_LIMIT);
    }

    Search(Scenario scenario, Duration realTimeLimit) {
        this.realTimeLimit = realTimeLimit;
        this.scenario = Objects.requireNonNull(scenario, "scenario");
    }

    /** Runs seeds, and throws for the first that fails. */
    void run(long first, long count) {
        new Guarded<Object>(() -> search(first, count), this, realTimeLimit).run();
    }

    private @Nullable Object search(long first, long count) {
        for (long i = 0; i < count; i++) {
            seed = first + i;
            Once once = once(null, /* recorded= */ count == 1 && TIMELINE != null);
            if (once.failure != null) throw told(once);
            timeline(once.run);
            once.run.reached.forEach((what, held) -> reached.merge(what, held, Boolean::logicalOr));
            passed = i + 1;
        }
        return null;
    }

    /** How many seeds have passed. Any thread. */
    long passed() {
        return passed;
    }

    /** Whether what checks name was reached in one of the seeds. Any thread. */
    Map<String, Boolean> reached() {
        return reached;
    }

    /** Throws if something was never reached. */
    void requireReached() {
        List<String> never = new SeedReport(passed, true, reached, null).missing();
        if (!never.isEmpty()) throw new AssertionError(never(never, passed));
    }

    static String never(List<String> missing, long seeds) {
        return "never held in " + seeds + " seeds: " + String.join("; ", missing);
    }

    private record Once(SimulatedRun run, @Nullable Throwable failure) {}

    private Once once(@Nullable Set<Integer> faults, boolean recorded) {
        var run = new SimulatedRun(seed, recorded);
        running = run;
        try {
            scenario.define(new Simulation(run, seed));
        } catch (Throwable e) {
            throw Guarded.sneaky(e);
        }
        Throwable failure = run.run(faults);
        done.incrementAndGet();
        return new Once(run, failure);
    }

    // ---- a failure

    private SimulationFailure told(Once first) {
        Once again = once(null, true);
        if (isDifferent(first, again)) {
            // the first run of a process does what the others need not: classes are initialised, caches filled
            Once third = once(null, true);
            if (again.failure == null || isDifferent(again, third)) return notRepeated(first, again, third);
        }
        Once shortest = again;
        Set<Integer> faults = shrunk(again.run.happened());
        if (faults.size() < again.run.happened().size()) {
            Once fewer = once(faults, true);
            if (fewer.failure != null) shortest = fewer;
        }
        Throwable failure = Objects.requireNonNull(shortest.failure);
        List<Trace.Event> story = shortest.run.trace.events();
        var text = new StringBuilder("seed " + seed + ": " + failure + "\nTo repeat it: Simulation.replay(" + seed
                + "L, scenario), this test alone with -D" + Schedules.SEED_PROPERTY + "=" + seed
                + ", or trueasync simulate --seed " + seed);
        text.append("\nIt needs ").append(shortest.run.happened().size()).append(" of ");
        text.append(again.run.happened().size()).append(" faults. What happened, the last of ");
        text.append(story.size()).append(" events:");
        for (String line : Trace.table(story.subList(Math.max(0, story.size() - SHOWN), story.size())))
            text.append('\n').append(line);
        try {
            if (timeline(shortest.run)) text.append("\nAs a timeline: ").append(TIMELINE);
        } catch (UncheckedIOException unwritten) {
            text.append("\nNo timeline: ").append(unwritten.getCause());
        }
        text.append(escapes(first.run));
        return new SimulationFailure(seed, text.toString(), failure, Trace.table(story));
    }

    /** Writes a recorded run for viewers; false if it is not recorded, or nobody has asked. */
    private boolean timeline(SimulatedRun run) {
        if (TIMELINE == null || !run.isRecorded()) return false;
        try {
            Class.forName(TIMELINE_WRITER)
                    .getMethod("write", Path.class, String.class, List.class)
                    .invoke(null, Path.of(TIMELINE), "seed " + seed, run.trace.events());
            return true;
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof UncheckedIOException unwritten ? unwritten : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Bug in TrueAsync: timelines", e);
        }
    }

    /** Leaves out faults as long as it fails. */
    private Set<Integer> shrunk(List<Integer> all) {
        List<Integer> kept = all;
        Set<List<Integer>> passed = new HashSet<>();
        int tries = 0;
        for (int part = Math.max(1, kept.size() / 2); ; part = Math.max(1, part / 2)) {
            boolean fewer = false;
            for (int from = 0; from < kept.size() && tries < SHRINKS; ) {
                List<Integer> rest = new ArrayList<>(kept);
                rest.subList(from, Math.min(from + part, rest.size())).clear();
                Once without = null;
                if (!passed.contains(rest)) {
                    tries++;
                    without = once(new LinkedHashSet<>(rest), false);
                }
                if (without != null && without.failure != null) {
                    kept = without.run.happened(); // it may fail earlier, before the last ones
                    fewer = true;
                } else {
                    passed.add(rest);
                    from += part;
                }
            }
            if (part == 1 && !fewer) return new LinkedHashSet<>(kept);
            if (tries >= SHRINKS) return new LinkedHashSet<>(kept);
        }
    }

    private static boolean isDifferent(Once one, Once other) {
        return one.run.trace.digest() != other.run.trace.digest();
    }

    private SimulationFailure notRepeated(Once first, Once second, Once third) {
        List<Trace.Event> one = second.run.trace.events();
        List<Trace.Event> other = third.run.trace.events();
        int same = 0;
        while (same < Math.min(one.size(), other.size()) && one.get(same).equals(other.get(same))) same++;
        String where = same < Math.min(one.size(), other.size())
                ? "\nThe first difference between two runs:\n"
                        + String.join("\n", Trace.table(List.of(one.get(same), other.get(same))))
                : "";
        Throwable failure = Objects.requireNonNull(first.failure);
        return new SimulationFailure(
                seed,
                "seed " + seed + " failed, and does not repeat, so something depends on more than the seed (state that"
                        + " runs share, real threads, the real clock, chance of the JDK): " + failure + where
                        + escapes(second.run),
                failure,
                Trace.table(one));
    }

    /** What hosts did that no seed decides about, and where. */
    private static String escapes(SimulatedRun run) {
        var text = new StringBuilder();
        for (Throwable place : run.escapes()) {
            text.append("\nA host ").append(place.getMessage()).append(':');
            for (StackTraceElement frame : place.getStackTrace())
                text.append("\n    at ").append(frame);
        }
        return text.toString();
    }

    // ---- while it is watched

    @Override
    public long progress() {
        return done.get();
    }

    @Override
    public String state() {
        SimulatedRun run = running;
        return "seed " + seed + (run == null ? "" : "\n" + run.state());
    }

    @Override
    public void stop() {
        SimulatedRun run = running;
        if (run != null) run.stop();
    }
}
