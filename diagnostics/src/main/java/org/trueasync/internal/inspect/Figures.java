package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;

/** The counts of each runtime, for a person to read. Needs no loop. */
final class Figures implements Answer {
    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) out.write("No runtime in this process\n");
        for (Loop loop : all)
            out.write("Runtime '" + loop.name() + "', " + LoopState.of(List.of(loop)) + "\n"
                    + text(new LoopProbe(loop).stats()));
    }

    private static String text(RuntimeStats stats) {
        return String.format(
                Locale.ROOT,
                """
                  coroutines   %,d: %,d not begun, %,d running, %,d suspended, %,d of them in JDK code; %,d in the run queue
                  so far       %,d spawned, %,d ended, %,d switches, %,d polls
                  loop         busy %.0f %%, lag %.1f ms, held for %,d ms so far
                  waits for    %,d events, %,d timers, %,d handles of the reactor
                  stacks       %,d idle, %,d made so far
                """,
                stats.coroutines(),
                stats.notBegun(),
                stats.running(),
                stats.suspended(),
                stats.blocked(),
                stats.queued(),
                stats.spawned(),
                stats.completed(),
                stats.switches(),
                stats.reactorTurns(),
                100 * stats.utilisation(),
                stats.lagMillis(),
                stats.heldMillis(),
                stats.activeEvents(),
                stats.timers(),
                stats.reactorHandles(),
                stats.idleContexts(),
                stats.contextsCreated());
    }
}
