package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system knows about another process's cpu time, and where that process may run. Linux. */
final class Cpu {

    /* Fixed for user space on every architecture that a JDK runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;
    /* utime and stime, counted from the field after the command's closing bracket; see proc(5). */
    private static final int UTIME = 11;
    private static final int STIME = 12;

    private Cpu() {}

    /** User and system time that all threads of the process have used, those that ended included; a step is 10 ms. */
    static long nanosOf(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) * NANOS_PER_TICK;
    }

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
