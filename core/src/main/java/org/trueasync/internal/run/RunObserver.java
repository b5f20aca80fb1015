package org.trueasync.internal.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.Settings;

/**
 * What a module above core does beside every run. Core looks for providers of this service and works without any.
 */
public interface RunObserver {
    /**
     * Called before each run, on the thread that asked for it. What it throws ends the run before it has begun.
     *
     * @param settings the run's
     */
    default void prepare(Settings settings) {}

    /**
     * Called when a run begins, on the loop thread, before main does.
     *
     * @param loop the run's
     * @return called once after the run, on any thread; throws nothing
     */
    default Runnable watch(Loop loop) {
        return () -> {};
    }

    /**
     * Describes runtimes for a person to read. Any thread.
     *
     * @param loops of runs that go on, at least one
     * @return null if it describes none
     */
    default @Nullable String describe(List<Loop> loops) {
        return null;
    }
}
