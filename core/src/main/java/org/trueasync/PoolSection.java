package org.trueasync;

/**
 * What is done with a resource of a {@link Pool}, in the caller's own code; see {@link Section}. There is no need to name this type.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <R> type of the resource
 * @param <T> type of the result
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface PoolSection<R, T, X extends Exception> extends PoolFunction<R, T> {
    /**
     * Does it.
     *
     * @param resource the caller's alone until this returns
     * @throws X whatever it throws
     */
    @Override
    T apply(R resource) throws X;
}
