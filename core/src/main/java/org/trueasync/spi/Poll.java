package org.trueasync.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waiting for descriptors that somebody else owns and reads: native libraries, drivers. Loop thread only. */
public final class Poll {
    private Poll() {}

    /**
     * A proxy for a descriptor; nothing is watched before somebody waits for it.
     *
     * @param descriptor open, and of a kind that can be polled
     * @param interest {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both
     * @throws IllegalArgumentException if the descriptor is negative or the interest is something else
     */
    public static PollEvent watch(int descriptor, int interest) {
        return watch(descriptor, interest, () -> false);
    }

    /**
     * As {@link #watch(int, int)}, for a descriptor whose owner reads ahead.
     *
     * @param descriptor open
     * @param interest a mask
     * @param buffered true while bytes that were read already wait in the owner's buffer: then it is readable, whatever the system says
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
     * @param events proxies; an empty collection returns at once
     * @param timeout how long at the most; zero looks once; null for no limit
     * @return those that are ready, in the order of the input; empty if the time ran out
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout) {
        return SchedulerProvider.get().select(events, timeout);
    }
}
