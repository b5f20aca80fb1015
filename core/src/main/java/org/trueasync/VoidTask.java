package org.trueasync;

import org.trueasync.internal.error.Throwing;

/**
 * A piece of work without a result, written as a lambda or a method reference: it may throw anything. As {@link Task}
 * is for work with a result, this is the type that the compiler prefers where both a {@link Body} and a
 * {@link Runnable} would do. Programs need not name it.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // all its methods do the same work
public interface VoidTask extends Body, Runnable {
    /**
     * Does the work.
     *
     * @throws Throwable any error; a wait for the work throws it
     */
    void perform() throws Throwable;

    /** Does the work. What it throws is thrown unchanged, even a checked exception. */
    @Override
    default void run() {
        try {
            perform();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }
}
