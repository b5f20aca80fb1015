package org.trueasync;

/**
 * A piece of work without a result: a {@link java.lang.Runnable} that may throw anything.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 */
@FunctionalInterface
public interface Body {
    /**
     * Does the work.
     *
     * @throws Throwable any error; a wait for the work throws it
     */
    void run() throws Throwable;
}
