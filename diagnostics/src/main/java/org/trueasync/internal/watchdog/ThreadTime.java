package org.trueasync.internal.watchdog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread has had a processor, and how long it has waited for one. Linux tells both; elsewhere the JVM tells
 * the first, if it has its management beans, and then it is not known whether a thread that did not run was asleep or
 * was kept waiting.
 */
final class ThreadTime {
    private static final Path SELF = Path.of("/proc/thread-self");

    private final Thread thread;
    private final @Nullable Path statistics;

    private ThreadTime(Thread thread, @Nullable Path statistics) {
        this.thread = thread;
        this.statistics = statistics;
    }

    /** For the calling thread; the figures can be read on any thread. */
    static ThreadTime ofCaller(Thread platformThread) {
        return new ThreadTime(platformThread, statistics());
    }

    private static @Nullable Path statistics() {
        try {
            Path task = Path.of(
                    "/proc/self/task",
                    Files.readSymbolicLink(SELF).getFileName().toString(),
                    "schedstat");
            return read(task) == null ? null : task;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static long @Nullable [] read(Path file) {
        try {
            String[] figures = Files.readString(file).strip().split(" ", 3);
            return new long[] {Long.parseLong(figures[0]), Long.parseLong(figures[1])};
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /**
     * The present figures.
     *
     * @return nanoseconds that it has run, and that it has waited for a processor; -1 for what is not known
     */
    long[] now() {
        long[] figures = statistics == null ? null : read(statistics);
        return figures != null ? figures : new long[] {JvmWork.processorTime(thread), -1};
    }
}
