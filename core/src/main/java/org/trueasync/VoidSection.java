package org.trueasync;

/**
 * A section of the calling coroutine's own code, without a result; see {@link Section}.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface VoidSection<X extends Throwable> extends Body {
    /**
     * Runs the section.
     *
     * @throws X any error; the method that runs the section throws it unchanged
     */
    @Override
    void run() throws X;
}
