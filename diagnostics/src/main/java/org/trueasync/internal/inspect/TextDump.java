package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.watchdog.Hold;
import org.trueasync.internal.watchdog.Watchdog;

/** Everything about this process as text: counts, holds of loops, whole trees. */
final class TextDump implements Answer {
    private static final Tree TREE = new Tree(true);

    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        out.write(ThisProcess.command() + "\n\n");
        new Figures().write(out);
        for (Loop loop : Runtimes.all()) addHolds(out, loop);
        out.write('\n');
        TREE.write(out);
    }

    private static void addHolds(Writer out, Loop loop) throws IOException {
        List<Hold> holds = Watchdog.holdsOf(loop);
        if (holds.isEmpty()) return;
        out.write("\nRuntime '" + loop.name() + "', its loop was held " + Texts.count(holds.size(), "time")
                + " lately:\n");
        for (Hold hold : holds)
            out.write("  " + hold.begin() + " for " + Texts.time(hold.soFar().toNanos()) + " by " + hold.holder()
                    + ", at " + hold.stack().getFirst() + "\n");
    }
}
