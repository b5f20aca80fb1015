package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;

/** Sets the cpu on which another process may run. Needs Linux and {@code taskset}. */
final class Cpu {

    private Cpu() {}

    /** Has every thread of the process run on that cpu alone from now on. */
    static void pin(long pid, int cpu, File log) throws IOException, InterruptedException {
        int status = new ProcessBuilder("taskset", "-a", "-c", "-p", String.valueOf(cpu), String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("taskset could not pin process " + pid + " to cpu " + cpu + "; see the log");
        }
    }
}
