package org.trueasync;

/**
 * What is done with a resource of a {@link Pool}.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <R> type of the resource
 * @param <T> type of the result
 */
@FunctionalInterface
public interface PoolFunction<R, T> {
    /**
     * Does it.
     *
     * @param resource the caller's alone until this returns
     * @throws Exception whatever it throws
     */
    T apply(R resource) throws Exception;
}
