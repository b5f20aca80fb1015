package org.trueasync.internal.run;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * While a process waits for its coroutines to end, a second SIGINT or SIGTERM ends that wait: the user wants the
 * process to end now. A signal within the first second of the wait does not count, as shells and tools that start
 * programs often send a signal twice.
 *
 * <p>Signals that the program handles itself, or ignores, stay its own.
 */
public final class SecondSignal implements AutoCloseable {
    private static final Duration IGNORED_TIME = Duration.ofSeconds(1);
    private static final String[] NAMES = {"INT", "TERM"};

    private final LongSupplier clock;
    private final Thread waiting;
    private long begin;
    private boolean over;

    /**
     * Installs no signal handler; each signal is reported by {@link #signalReceived}.
     *
     * @param clock in nanoseconds
     */
    SecondSignal(Thread waiting, LongSupplier clock) {
        this.waiting = waiting;
        this.clock = clock;
        begin = clock.getAsLong();
    }

    /**
     * From now on a second signal interrupts the calling thread. Call it when the process is ending; close it when the
     * wait is over.
     */
    public static SecondSignal interruptsThisThread() {
        var second = new SecondSignal(Thread.currentThread(), System::nanoTime);
        for (String name : NAMES) SystemSignals.replaceJvmHandler(name, second::signalReceived);
        return second;
    }

    synchronized void signalReceived() {
        if (!over && clock.getAsLong() - begin >= IGNORED_TIME.toNanos()) waiting.interrupt();
    }

    /** Called when the wait goes on after a second signal: the next one that counts ends it. */
    public synchronized void again() {
        begin = clock.getAsLong();
    }

    /** Ends this: signals do nothing more. Clears the calling thread's interrupt status. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
