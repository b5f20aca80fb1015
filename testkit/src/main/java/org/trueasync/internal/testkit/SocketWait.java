package org.trueasync.internal.testkit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Who waits for a {@link VirtualSocket}: threads of its host's loop, coroutines or not. They park, as they do in the
 * JDK's own sockets. Loop thread.
 */
final class SocketWait {
    private final World world;
    private final Set<Thread> threads = new LinkedHashSet<>(1);

    SocketWait(World world) {
        this.world = world;
    }

    void wake() {
        for (Thread thread : threads) LockSupport.unpark(thread);
    }

    /**
     * Waits for a condition.
     *
     * @param condition looked at after each {@link #wake}
     * @param millis 0: without a limit
     * @param late what is said after that time
     * @throws SocketTimeoutException after that time
     * @throws InterruptedIOException if the thread is interrupted, which it stays
     */
    void until(BooleanSupplier condition, int millis, String late) throws IOException {
        if (condition.getAsBoolean()) return;
        Thread me = Thread.currentThread();
        long deadline = millis == 0 ? Long.MAX_VALUE : world.now() + millis * 1_000_000L;
        threads.add(me);
        try {
            while (!condition.getAsBoolean()) {
                if (me.isInterrupted()) throw new InterruptedIOException();
                long left = deadline - world.now();
                if (left <= 0) throw new SocketTimeoutException(late);
                if (deadline == Long.MAX_VALUE) LockSupport.park(this);
                else LockSupport.parkNanos(this, left);
            }
        } finally {
            threads.remove(me);
        }
    }
}
