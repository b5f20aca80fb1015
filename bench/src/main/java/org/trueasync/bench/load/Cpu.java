package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;

/** Where another process may run. Linux. */
final class Cpu {

    private Cpu() {}

    /** From now on every thread of the process runs on that cpu alone. */
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
