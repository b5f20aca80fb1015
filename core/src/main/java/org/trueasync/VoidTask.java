package org.trueasync;

import org.trueasync.internal.error.Throwing;

/**
 * A piece of work without a result, written as a lambda or a method reference: it may throw anything. As {@link Task} is for work with a result, this is what the
 * compiler takes where both a {@link Body} and a {@link Runnable} would do; there is no need to name it.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // the other shapes do the same work, each in its own words
public interface VoidTask extends Body, Runnable {
    /**
     * Does the work.
     *
     * @throws Throwable whatever the work throws; it reaches whoever awaits the work
     */
    void perform() throws Throwable;

    /** Does the work. What it throws is thrown as it is, also where it is a checked exception. */
    @Override
    default void run() {
        try {
            perform();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }
}
