package org.trueasync.internal.testkit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.trueasync.internal.testkit.jdk.JdkTime;

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
     * @throws InterruptedIOException if the thread is interrupted, which it stays; not on a thread that the program
     *     takes for a platform thread
     */
    void until(BooleanSupplier condition, int millis, String late) throws IOException {
        long deadline = millis == 0 ? Long.MAX_VALUE : stack.nanoTime() + millis * 1_000_000L;
        boolean isPlatform = JdkTime.isOnPlatformThread();
        boolean interrupted = false;
        try {
            while (!await(condition, deadline)) {
                if (!Thread.currentThread().isInterrupted()) throw new SocketTimeoutException(late);
                if (!isPlatform) throw new InterruptedIOException();
                interrupted = Thread.interrupted();
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for a condition, or until the thread is interrupted, which it stays.
     *
     * @param deadline at most until this time
     * @return whether the condition holds
     */
    boolean await(BooleanSupplier condition, long deadline) {
        if (condition.getAsBoolean()) return true;
        Thread me = Thread.currentThread();
        if (!me.isVirtual())
            throw new UnsupportedOperationException(
                    "a simulated socket can't wait in Async.blocking, which holds its host: use it in a coroutine or a thread");
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

    /** The deadline of a wait that takes so many nanoseconds at most. */
    long after(long nanos) {
        long now = stack.nanoTime();
        return nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + nanos;
    }
}
