package org.trueasync.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for descriptors that other code owns and reads: native libraries, drivers. Loop thread only. */
public final class Poll {
    private Poll() {}

    /**
     * A proxy for a descriptor. The descriptor is watched only while a coroutine waits for the proxy.
     *
     * @param descriptor open, and of a kind that can be polled
     * @param interest {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both
     * @throws IllegalArgumentException if the descriptor is negative or the interest is something else
     */
    public static PollEvent watch(int descriptor, int interest) {
        return watch(descriptor, interest, () -> false);
    }

    /**
     * As {@link #watch(int, int)}, for a descriptor whose owner reads ahead into a buffer.
     *
     * @param descriptor open
     * @param interest as in {@link #watch(int, int)}
     * @param buffered true while the owner's buffer has bytes; the descriptor then counts as readable, whatever the
     *     system says
     */
    public static PollEvent watch(int descriptor, int interest, BooleanSupplier buffered) {
        if (descriptor < 0) throw new IllegalArgumentException("descriptor must be >= 0, got " + descriptor);
        if (interest < 1 || interest > (PollHandle.READABLE | PollHandle.WRITABLE)) {
            throw new IllegalArgumentException(
                    "interest must be READABLE (1), WRITABLE (2) or both (3), got " + interest);
        }
        return SchedulerProvider.get().poll(descriptor, interest, buffered);
    }

    /**
     * Suspends this coroutine until one of several descriptors is ready.
     *
     * @param events proxies; with an empty collection this returns at once
     * @param timeout how long to wait; zero to check without waiting; null for no limit
     * @return the proxies that are ready, in the order of the input; empty after the timeout
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout) {
        return SchedulerProvider.get().select(events, timeout);
    }
}
