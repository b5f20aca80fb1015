package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.trueasync.internal.diagnostics.StuckCoroutines;
import org.trueasync.internal.inspect.LoopReader.Unanswered;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** The coroutines of all runtimes that nothing can wake, as text. */
final class StuckText implements Answer {
    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) out.write("No runtime in this process\n");
        for (Loop loop : all) {
            out.write(of(loop) + "\n");
            out.flush(); // each search may take long, and whoever asks has patience for one
        }
    }

    /** A search may take a minute, so a loop that is held is told before it. */
    private static String of(Loop loop) throws InterruptedException {
        try {
            LoopReader.ask(loop, () -> true);
            return StuckCoroutines.of(loop);
        } catch (Unanswered e) {
            return e.text();
        }
    }
}
