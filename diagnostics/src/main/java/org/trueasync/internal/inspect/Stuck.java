package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.trueasync.internal.diagnostics.StuckCoroutines;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** The coroutines of all runtimes that nothing can wake, as text. */
final class Stuck implements Answer {
    @Override
    public void write(Writer out) throws IOException {
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) out.write("No runtime in this process\n");
        for (Loop loop : all) out.write(StuckCoroutines.of(loop) + "\n");
    }
}
