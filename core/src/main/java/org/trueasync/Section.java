package org.trueasync;

import java.util.concurrent.Callable;

/**
 * A section of the calling coroutine's own code, with a result. The method that runs it throws its exceptions
 * unchanged, and the compiler infers their type: a lambda that throws no checked exception needs no {@code catch}.
 * Programs need not name this type.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <T> type of the result
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface Section<T, X extends Exception> extends Callable<T>, VoidSection<X> {
    /**
     * Runs the section.
     *
     * @return its result, may be null
     * @throws X any exception; the method that runs the section throws it unchanged
     */
    @Override
    T call() throws X;

    @Override
    default void run() throws X {
        call();
    }
}
