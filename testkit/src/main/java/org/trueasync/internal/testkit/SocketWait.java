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
    private final NetworkStack stack;
    private final Set<Thread> threads = new LinkedHashSet<>(1);
    private final Set<SocketWait> others = new LinkedHashSet<>(0);

    SocketWait(NetworkStack stack) {
        this.stack = stack;
    }

    /** Has those who wait for another object woken too. */
    void tell(SocketWait other) {
        others.add(other);
    }

    void tellNoMore(SocketWait other) {
        others.remove(other);
    }

    void wake() {
        for (Thread thread : threads) LockSupport.unpark(thread);
        for (SocketWait other : others) other.wake();
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
        if (await(condition, millis == 0 ? Long.MAX_VALUE : millis * 1_000_000L)) return;
        if (Thread.currentThread().isInterrupted()) throw new InterruptedIOException();
        throw new SocketTimeoutException(late);
    }

    /**
     * Waits for a condition, or until the thread is interrupted, which it stays.
     *
     * @param nanos at most so long
     * @return whether the condition holds
     */
    boolean await(BooleanSupplier condition, long nanos) {
        if (condition.getAsBoolean()) return true;
        Thread me = Thread.currentThread();
        long now = stack.nanoTime();
        long deadline = nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + nanos;
        threads.add(me);
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - stack.nanoTime();
                if (me.isInterrupted() || left <= 0) return false;
                if (deadline == Long.MAX_VALUE) LockSupport.park(this);
                else LockSupport.parkNanos(this, left);
            }
            return true;
        } finally {
            threads.remove(me);
        }
    }
}
