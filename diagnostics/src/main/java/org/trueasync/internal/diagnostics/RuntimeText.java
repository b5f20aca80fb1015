package org.trueasync.internal.diagnostics;

import org.trueasync.RuntimeStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.spi.SchedulerProvider;

/** The dump of one runtime: a line of counts, then its tree. On the loop thread, where nothing else is said. */
public final class RuntimeText {
    private RuntimeText() {}

    /** Makes the dump. Never throws because of what it finds. */
    static String of(Loop loop) {
        var text = new StringBuilder();
        try {
            head(text, loop);
            var tree = new TreeText(text, TreeText.Limits.OF_DUMP, false);
            var walk = new TreeWalk(loop, tree);
            while (walk.step()) {
                // the sink does all
            }
            tree.end();
        } catch (RuntimeException | Error e) {
            text.append("\n(the rest could not be read: ")
                    .append(e.getClass().getName())
                    .append(')');
        }
        return text.toString();
    }

    /** Adds the line of counts. Any thread; then the counts may not agree. */
    public static void head(StringBuilder text, Loop loop) {
        RuntimeStats stats = new LoopProbe(loop).stats();
        text.append("Runtime '").append(loop.name()).append("'");
        if (loop.drain().isActive()) text.append(", draining");
        if (loop.isShuttingDown()) text.append(", shutting down");
        text.append(": ").append(Texts.count(stats.coroutines(), "coroutine"));
        text.append(" (").append(stats.notBegun()).append(" not begun, ");
        text.append(stats.running()).append(" running, ");
        text.append(stats.suspended()).append(" suspended, ");
        text.append(stats.blocked()).append(" of them in JDK code), ");
        text.append(stats.queued()).append(" in the run queue, ");
        text.append(Texts.count(stats.activeEvents(), "active event")).append(", ");
        text.append(Texts.count(stats.timers(), "timer")).append(", ");
        text.append(Texts.count(stats.reactorHandles(), "reactor handle"));
        text.append(", busy ").append(Math.round(100 * stats.utilisation())).append(" %, lag ");
        text.append(Math.round(stats.lagMillis())).append(" ms");
        text.append(", JDK sockets polled by ").append(SchedulerProvider.get().socketPolling(loop.reactor()));
    }
}
