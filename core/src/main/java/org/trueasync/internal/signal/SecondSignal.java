package org.trueasync.internal.signal;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * While a process waits for its coroutines to end, a second SIGINT or SIGTERM ends that wait: somebody has lost patience. One that comes within a second does not count, as shells
 * and tools that start programs often send a signal twice.
 *
 * <p>Signals that the program handles itself, or ignores, stay its own. The command has the like for its own hook, as nothing of ours is open to it.
 */
final class SecondSignal implements AutoCloseable {
    private static final Duration TOO_SOON = Duration.ofSeconds(1);
    private static final String[] NAMES = {"INT", "TERM"};

    private final LongSupplier clock;
    private final long begin;
    private final Thread waiting;
    private boolean over;

    /**
     * Has not been told of any signal, and hears of them by {@link #came} only.
     *
     * @param clock in nanoseconds
     */
    SecondSignal(Thread waiting, LongSupplier clock) {
        this.waiting = waiting;
        this.clock = clock;
        begin = clock.getAsLong();
    }

    /** From now on a second signal interrupts the calling thread. Call it when the process is ending; close it when the wait is over. */
    static SecondSignal interruptsThisThread() {
        var second = new SecondSignal(Thread.currentThread(), System::nanoTime);
        for (String name : NAMES) SystemSignals.replaceJvms(name, second::came);
        return second;
    }

    synchronized void came() {
        if (!over && clock.getAsLong() - begin >= TOO_SOON.toNanos()) waiting.interrupt();
    }

    /** The wait is over: signals do nothing more. The calling thread's interrupt status is cleared. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
