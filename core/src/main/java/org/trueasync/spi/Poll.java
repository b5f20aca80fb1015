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
     * Returns a proxy for a descriptor. The descriptor is watched only while a coroutine waits for the proxy. Such a
     * wait throws a {@link org.trueasync.PollException} if the system can't watch the descriptor, and an
     * {@link UnsupportedOperationException} if the reactor has no descriptors.
     *
     * @param descriptor open, and of a kind that can be polled
     * @param interest {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both
     * @throws IllegalArgumentException if the descriptor is negative or the interest is something else
     * @throws org.trueasync.AsyncException outside a runtime
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
     * @throws IllegalArgumentException as in {@link #watch(int, int)}
     * @throws org.trueasync.AsyncException outside a runtime
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
     * @param timeout how long to wait, >= 0; with zero the wait ends with the next poll; null for no limit
     * @return the proxies that are ready, in the order of the input; empty after the timeout
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.PollException if one of the descriptors can't be watched
     * @throws IllegalArgumentException if the timeout is negative
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout) {
        return SchedulerProvider.get().select(events, timeout);
    }
}
