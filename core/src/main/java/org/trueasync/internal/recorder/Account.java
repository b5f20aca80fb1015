package org.trueasync.internal.recorder;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an account of what one coroutine spends its time on. Called on the loop thread,
 * where nothing may wait; throws nothing.
 */
public interface Account {
    /** Its turn begins. */
    void runs();

    /**
     * It has suspended.
     *
     * @param ready true if it is in the run queue already: it has given way
     * @param needs the coroutine that alone can end the wait, as reports name it; null if it is not one
     */
    void suspends(boolean ready, @Nullable String needs);

    /**
     * JDK code has parked it.
     *
     * @param holder who has the lock that it waits for; null if it is none, or that is not known
     */
    void parked(@Nullable String holder);

    /**
     * It has been woken, and is in the run queue. Also called where it has not suspended in the end.
     *
     * @param kind of what it waited for, by {@link WaitClass}
     * @param text says what it waited for, as long as this call lasts
     */
    void woken(int kind, Supplier<String> text);
}
