package org.trueasync.internal.diagnostics;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.run.RunObserver;
import org.trueasync.internal.task.Settings;
import org.trueasync.internal.watchdog.DeadlockWatch;
import org.trueasync.internal.watchdog.StuckWatch;
import org.trueasync.internal.watchdog.WaitCycles;
import org.trueasync.internal.watchdog.Watchdog;

/**
 * The watchers of each run: for waits in a ring, for a loop that is held, and for a deadlock that it can't notice; and
 * its management bean.
 */
public final class Diagnostics implements RunObserver {
    /** For the service loader. */
    public Diagnostics() {}

    @Override
    public Runnable watch(Loop loop) {
        WaitCycles.watchRings(loop);
        Settings settings = loop.settings();
        Consumer<String> sink = settings.diagnostics();
        var probe = new LoopProbe(loop);
        @Nullable Watchdog watchdog = Watchdog.over(probe, settings.heldLoopAfter(), sink);
        var bean = new RuntimeBean(loop);
        @Nullable StuckWatch stuck = StuckWatch.over(probe, new StuckCoroutines(loop)::news, sink);
        Runnable also = () -> {
            bean.offer();
            if (stuck != null) stuck.check();
        };
        DeadlockWatch deadlocks = DeadlockWatch.over(
                probe, settings.deadlockAfter(), settings.deadlockReports() ? sink : report -> {}, also);
        return () -> {
            if (watchdog != null) watchdog.stop();
            deadlocks.stop();
            bean.remove();
        };
    }

    @Override
    public String describe(List<Loop> loops) {
        return Dump.of(loops);
    }
}
