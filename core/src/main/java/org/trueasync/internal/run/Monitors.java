package org.trueasync.internal.run;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Those who watch all runs of the process. Unlike a {@link RunObserver}, they come and go while runs go on. Any thread.
 */
public final class Monitors {
    /** A monitor: called for each run, also for one that goes on already; returns what is called after it. */
    @FunctionalInterface
    public interface Monitor extends Function<LoopProbe, Runnable> {}

    /** For each run that goes on, and each monitor, what is called after it. */
    private static final Map<Loop, Map<Monitor, Runnable>> RUNS = new LinkedHashMap<>();

    private static final Set<Monitor> ALL = new LinkedHashSet<>();

    private Monitors() {}

    /**
     * Begins to monitor all runs.
     *
     * @param monitor told of each of them
     * @return ends that; calls what is to be called after runs, for those that go on
     */
    public static Runnable add(Monitor monitor) {
        synchronized (RUNS) {
            ALL.add(monitor);
            RUNS.forEach((loop, ends) -> ends.put(monitor, begin(monitor, loop)));
        }
        return () -> remove(monitor);
    }

    private static void remove(Monitor monitor) {
        synchronized (RUNS) {
            ALL.remove(monitor);
            RUNS.forEach((loop, ends) -> {
                Runnable end = ends.remove(monitor);
                if (end != null) end(end, loop);
            });
        }
    }

    /** As {@link RunObserver#watch}. */
    static Runnable watch(Loop loop) {
        synchronized (RUNS) {
            Map<Monitor, Runnable> ends = new LinkedHashMap<>();
            for (Monitor monitor : ALL) ends.put(monitor, begin(monitor, loop));
            RUNS.put(loop, ends);
        }
        return () -> ended(loop);
    }

    private static void ended(Loop loop) {
        synchronized (RUNS) {
            Map<Monitor, Runnable> ends = RUNS.remove(loop);
            if (ends != null) ends.values().forEach(end -> end(end, loop));
        }
    }

    /** A monitor that fails is no reason for a run to fail. */
    private static Runnable begin(Monitor monitor, Loop loop) {
        try {
            return monitor.apply(new LoopProbe(loop));
        } catch (RuntimeException | Error e) {
            report(loop, e);
            return () -> {};
        }
    }

    private static void end(Runnable end, Loop loop) {
        try {
            end.run();
        } catch (RuntimeException | Error e) {
            report(loop, e);
        }
    }

    private static void report(Loop loop, Throwable e) {
        loop.settings().diagnostics().accept("A monitor of runtime '" + loop.name() + "' failed: " + e);
    }
}
