package org.trueasync.internal.signal;

import java.time.Duration;

/**
 * While a process waits for its coroutines to end, a second SIGINT or SIGTERM ends that wait: somebody has lost patience. One that comes within a second does not count, as shells
 * and tools that start programs often send a signal twice.
 *
 * <p>Signals that the program handles itself, or ignores, stay its own. The command has the like for its own hook, as nothing of ours is open to it.
 */
final class SecondSignal implements AutoCloseable {
    private static final Duration TOO_SOON = Duration.ofSeconds(1);
    private static final String[] NAMES = {"INT", "TERM"};

    private final long begin = System.nanoTime();
    private final Thread waiting;
    private boolean over;

    private SecondSignal(Thread waiting) {
        this.waiting = waiting;
    }

    /** From now on a second signal interrupts the calling thread. Call it when the process is ending; close it when the wait is over. */
    static SecondSignal interruptsThisThread() {
        var second = new SecondSignal(Thread.currentThread());
        for (String name : NAMES) SystemSignals.replaceJvms(name, second::came);
        return second;
    }

    private synchronized void came() {
        if (!over && System.nanoTime() - begin >= TOO_SOON.toNanos()) waiting.interrupt();
    }

    /** The wait is over: signals do nothing more. The calling thread's interrupt status is cleared. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
