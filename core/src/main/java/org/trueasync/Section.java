package org.trueasync;

import java.util.concurrent.Callable;

/**
 * A section of the calling coroutine's own code, with a result: what it throws leaves the method that runs it as it is. The compiler finds out what that may be; a
 * lambda that throws no checked exception needs no {@code catch}. There is no need to name this type.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <T> type of the result
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface Section<T, X extends Exception> extends Callable<T>, VoidSection<X> {
    /**
     * Runs it.
     *
     * @return its result, may be null
     * @throws X whatever it throws
     */
    @Override
    T call() throws X;

    @Override
    default void run() throws X {
        call();
    }
}
