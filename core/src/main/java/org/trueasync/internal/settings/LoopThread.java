package org.trueasync.internal.settings;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.DeadlockError;
import org.trueasync.internal.error.Throwing;

/** A platform thread that runs one runtime while the caller waits; for a stack of its own size, and for callers that are virtual threads. */
public final class LoopThread<T> extends Thread {
    private final Supplier<@Nullable T> run;
    private @Nullable T result;
    private @Nullable Throwable thrown;

    /** It will never end. Guarded by this. */
    private @Nullable DeadlockError abandoned;

    /**
     * Not started.
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

    /** Returns what the run brought; throws what it threw, or why it was given up. */
    public @Nullable T runAndWait() {
        start();
        DeadlockError error = awaitEnd();
        if (error != null) throw error;
        if (thrown != null) throw Throwing.sneaky(thrown);
        return result;
    }

    /** Returns why it was given up, or null once it has ended. The JVM notifies those who wait for a thread's monitor at its end. */
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
     * Whoever waits for it need not any longer: it will never end.
     *
     * @param error what he gets
     * @return false if it has ended after all
     */
    public synchronized boolean abandon(DeadlockError error) {
        if (!isAlive()) return false;
        abandoned = error;
        notifyAll();
        return true;
    }
}
