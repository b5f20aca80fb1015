package org.trueasync.internal.kernel;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A variable with one value for each loop, null at first: state that a package keeps for a runtime and of which the
 * kernel knows nothing. Made once, as a constant. Its values are read and written on the loop thread.
 *
 * @param <T> type of the values
 */
public final class LoopLocal<T> {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final int index = COUNT.getAndIncrement();

    /** The value here, or null. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(Loop loop) {
        return (T) loop.local(index);
    }

    /** Sets the value here. */
    public void set(Loop loop, @Nullable T value) {
        loop.local(index, value);
    }
}
