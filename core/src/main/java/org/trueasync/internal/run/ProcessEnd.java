package org.trueasync.internal.run;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.trueasync.AsyncCancellation;

/**
 * Ends runtimes before the process ends: one shutdown hook shuts all of them down, then waits for each of them, at most
 * for its timeout and 2 s more.
 */
public final class ProcessEnd {
    /** The cancellation that their coroutines get. */
    public static final class Reason extends AsyncCancellation {
        private static final long serialVersionUID = 1;

        Reason() {
            super("the process is ending");
        }

        /** Shows the type that users know. */
        @Override
        @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
        public String toString() {
            return AsyncCancellation.class.getName() + ": " + getMessage();
        }
    }

    /** How long a runtime may take after its deadline to unwind its coroutines. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Map<WatchedRun, Duration> RUNNING = new LinkedHashMap<>();
    private static boolean hooked;
    private static boolean ending;

    private ProcessEnd() {}

    /**
     * From now on the end of the process, by a signal or {@code System.exit}, is also the end of this run. If the
     * process is ending already, the run is shut down now.
     *
     * @param run about to run
     * @param timeout how long it may take to end, its drain included
     */
    public static void add(WatchedRun run, Duration timeout) {
        synchronized (RUNNING) {
            RUNNING.put(run, timeout);
            if (!hooked && !ending) {
                try {
                    Runtime.getRuntime().addShutdownHook(new Thread(ProcessEnd::endAll, "trueasync-exit"));
                    hooked = true;
                } catch (IllegalStateException exiting) {
                    ending = true;
                }
            }
            if (ending) run.shutdown(new Reason());
        }
    }

    /** Removes a run that has ended. */
    public static void remove(WatchedRun run) {
        synchronized (RUNNING) {
            RUNNING.remove(run);
        }
    }

    /** The end of a run. */
    interface End {
        /** See {@link WatchedRun#awaitEnd}; a time below 0 is none. */
        boolean await(Duration atMost) throws InterruptedException;
    }

    /**
     * Waits for the ends of runs that are being shut down. Their times pass together, so that several runs that hang
     * take no longer than the slowest of them.
     *
     * @param timeouts of the runs
     * @param clock the time in nanoseconds
     */
    static void awaitAll(Map<End, Duration> timeouts, LongSupplier clock) throws InterruptedException {
        long begin = clock.getAsLong();
        for (var entry : timeouts.entrySet()) {
            Duration passed = Duration.ofNanos(clock.getAsLong() - begin);
            if (entry.getKey().await(entry.getValue().plus(GRACE).minus(passed))) continue;
            System.getLogger("org.trueasync")
                    .log(
                            System.Logger.Level.WARNING,
                            "a runtime did not end within "
                                    + entry.getValue().toMillis()
                                    + " ms of the process's end; its loop is held by a coroutine that does not let go");
        }
    }

    private static void endAll() {
        List<Map.Entry<WatchedRun, Duration>> all;
        synchronized (RUNNING) {
            ending = true;
            all = RUNNING.entrySet().stream()
                    .<Map.Entry<WatchedRun, Duration>>map(Map.Entry::copyOf)
                    .toList();
        }
        var timeouts = new LinkedHashMap<End, Duration>();
        for (var entry : all) {
            entry.getKey().shutdown(new Reason());
            timeouts.put(entry.getKey()::awaitEnd, entry.getValue());
        }
        try (var second = SecondSignal.interruptsThisThread()) {
            while (!awaited(timeouts) && endDrains(all)) second.again();
        }
    }

    /** Waits for the ends. False if a second signal has come before. */
    private static boolean awaited(Map<End, Duration> timeouts) {
        try {
            awaitAll(timeouts, System::nanoTime);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Called for a second signal: ends the drains. False if there is none, so that the process is to end now. */
    private static boolean endDrains(List<Map.Entry<WatchedRun, Duration>> all) {
        boolean any = false;
        for (var entry : all) any |= entry.getKey().handle().isDraining();
        if (any) for (var entry : all) entry.getKey().shutdownNow(new Reason());
        else
            System.getLogger("org.trueasync")
                    .log(
                            System.Logger.Level.WARNING,
                            "a second signal has ended the process before its coroutines had ended");
        return any;
    }
}
