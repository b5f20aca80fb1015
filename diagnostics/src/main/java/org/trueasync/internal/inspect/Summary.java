package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;

/**
 * One line about the process: the number of its runtimes, of their coroutines, how busy its busiest loop is in percent,
 * its state in a word, and the JVM's command, separated by tabs.
 */
final class Summary implements Answer {
    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        List<Loop> loops = Runtimes.all();
        long coroutines = 0;
        double busiest = 0;
        for (Loop loop : loops) {
            RuntimeStats stats = new LoopProbe(loop).stats();
            coroutines += stats.coroutines();
            busiest = Math.max(busiest, stats.utilisation());
        }
        out.write(loops.size() + "\t" + coroutines + "\t" + Math.round(100 * busiest) + "\t" + LoopState.of(loops)
                + "\t" + ThisProcess.command() + "\n");
    }
}
