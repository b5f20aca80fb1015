package org.trueasync.internal.task;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.DeadlockError;
import org.trueasync.internal.error.Throwing;

/**
 * A platform thread that runs one runtime while the caller waits; for a stack of its own size, and for callers that are
 * virtual threads.
 */
public final class LoopThread<T> extends Thread {
    private final Supplier<@Nullable T> run;
    private @Nullable T result;
    private @Nullable Throwable thrown;

    /** Why this thread will never end; null otherwise. Guarded by this. */
    private @Nullable DeadlockError abandoned;

    /**
     * Makes the thread, not started.
     *
     * @param settings its name and the size of its stack
     * @param run the runtime
     */
    public LoopThread(Settings settings, Supplier<@Nullable T> run) {
        super(Thread.currentThread().getThreadGroup(), null, settings.name(), settings.stackSize());
        this.run = run;
    }

    @Override
    public void run() {
        try {
            result = run.get();
        } catch (Throwable e) {
            thrown = e;
        }
    }

    /** Returns what the run returned. Throws what the run threw, or the reason why it was abandoned. */
    public @Nullable T runAndWait() {
        start();
        DeadlockError error = awaitEnd();
        if (error != null) throw error;
        if (thrown != null) throw Throwing.sneaky(thrown);
        return result;
    }

    /**
     * Waits for the end of this thread. Returns null, or why it was abandoned. The JVM notifies a thread's monitor at
     * its end.
     */
    private synchronized @Nullable DeadlockError awaitEnd() {
        boolean interrupted = false;
        while (isAlive() && abandoned == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
        return isAlive() ? abandoned : null;
    }

    /**
     * Releases the threads that wait for this thread's end, because it will never end.
     *
     * @param error what they throw
     * @return false if it has ended after all
     */
    public synchronized boolean abandon(DeadlockError error) {
        if (!isAlive()) return false;
        abandoned = error;
        notifyAll();
        return true;
    }
}
