package org.trueasync.internal.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/** How other threads reach a run, before, while and after it runs. */
public final class RunHandle {
    private @Nullable Scheduler scheduler;
    private @Nullable AsyncCancellation early;
    private List<String> survivors = List.of();

    /** A run that has not begun. */
    public RunHandle() {}

    /**
     * The run begins. On the loop thread.
     *
     * @param started its scheduler
     */
    public synchronized void started(Scheduler started) {
        scheduler = started;
        if (early != null) request(started, early);
    }

    /** The run has ended. */
    public synchronized void ended() {
        Scheduler over = scheduler;
        scheduler = null;
        if (over != null) survivors = List.copyOf(over.ending.survivors());
    }

    /**
     * Asks for a graceful shutdown. Any thread.
     *
     * @param reason what coroutines see thrown
     */
    public synchronized void shutdown(AsyncCancellation reason) {
        if (scheduler != null) request(scheduler, reason);
        else early = reason;
    }

    private static void request(Scheduler running, AsyncCancellation reason) {
        running.postToService(() -> running.ending.shutDown(reason));
    }

    /** Null before it begins and after its end. Any thread. */
    public synchronized @Nullable Scheduler scheduler() {
        return scheduler;
    }

    /** The coroutines that did not end. */
    public synchronized List<String> survivors() {
        return survivors;
    }
}
