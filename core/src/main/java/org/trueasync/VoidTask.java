package org.trueasync;

import org.trueasync.internal.error.Throwing;

/**
 * A piece of work without a result, written as a lambda or a method reference: it may throw anything. Where both a
 * {@link Body} and a {@link Runnable} would do, the compiler prefers this type, as it prefers {@link Task} for work
 * with a result. Programs need not name it.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // all its methods do the same work
public interface VoidTask extends Body, Runnable {
    /**
     * Does the work.
     *
     * @throws Throwable any error; unless the method that takes the work says otherwise, a wait for the work throws it,
     *     a checked one as the cause of a {@link java.util.concurrent.CompletionException}
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
