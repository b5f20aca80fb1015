package org.trueasync.testkit.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Seeds of a scenario that are run one after another, by a thread of this process or by another process. */
abstract class SeedShare {
    /** What has become of it. Any thread. */
    abstract SeedReport report() throws IOException, InterruptedException;

    /** Waits for its end for some time; true if it has ended. */
    abstract boolean join(long millis) throws InterruptedException;

    /** Ends it, if it has not ended. Any thread. */
    abstract void stop();

    /** Begins to run seeds in this process. */
    static SeedShare here(Scenario scenario, long first, long count) {
        return new Local(scenario, first, count);
    }

    /** Starts a process that writes a report. */
    static SeedShare of(ProcessBuilder builder, Path report) throws IOException {
        return new Other(builder.inheritIO().start(), report);
    }

    /** Runs seeds for the process that has started this one, and writes a report now and then, and at the end. */
    static void work(Scenario scenario, long first, long count, Path report) throws IOException, InterruptedException {
        ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
        SeedShare share = here(scenario, first, count);
        boolean ended;
        do {
            ended = share.join(SeedProgress.LOOKS_EVERY_MILLIS);
            if (parent != null && !parent.isAlive()) return;
            try {
                share.report().write(report);
            } catch (NoSuchFileException gone) {
                return; // the other process ends, and has removed the folder
            }
        } while (!ended);
    }

    private static final class Local extends SeedShare {
        private final Search search;
        private final Thread thread;
        private volatile @Nullable String failure;

        Local(Scenario scenario, long first, long count) {
            search = new Search(scenario);
            thread = Thread.ofPlatform().daemon().name("simulate").start(() -> {
                try {
                    search.run(first, count);
                } catch (Throwable e) {
                    failure = text(e);
                }
            });
        }

        /** Those of a search say all in their message. */
        private static String text(Throwable failure) {
            if (failure instanceof AssertionError && failure.getMessage() != null) return failure.getMessage();
            if (failure instanceof UncheckedIOException unwritten) return "no timeline: " + unwritten.getCause();
            var text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            return text.toString().strip();
        }

        @Override
        SeedReport report() {
            boolean ended = !thread.isAlive(); // before the rest is read
            return new SeedReport(search.passed(), ended, Map.copyOf(search.reached()), failure);
        }

        @Override
        boolean join(long millis) throws InterruptedException {
            thread.join(millis);
            return !thread.isAlive();
        }

        @Override
        void stop() {}
    }

    private static final class Other extends SeedShare {
        private static final int STOP_SECONDS = 5;
        /** Ctrl-C ends all processes of a terminal: the end of this one begins within this time. */
        private static final int SIGNAL_MILLIS = 500;

        private final Process process;
        private final Path file;
        private SeedReport last = SeedReport.NONE;

        Other(Process process, Path file) {
            this.process = process;
            this.file = file;
        }

        @Override
        SeedReport report() throws IOException, InterruptedException {
            boolean ended = !process.isAlive();
            last = SeedReport.read(file, last);
            if (!ended || last.ended()) return last;
            Thread.sleep(SIGNAL_MILLIS);
            String lost = "a process of --jobs has ended with status " + process.exitValue();
            return new SeedReport(last.done(), true, last.reached(), lost);
        }

        @Override
        boolean join(long millis) throws InterruptedException {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        }

        @Override
        void stop() {
            process.destroy();
            process.onExit()
                    .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }
}
