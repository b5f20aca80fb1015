package org.trueasync;

/**
 * Work with a resource of a {@link Pool}.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <R> type of the resource
 * @param <T> type of the result
 */
@FunctionalInterface
public interface PoolFunction<R, T> {
    /**
     * Does the work.
     *
     * @param resource used by the caller alone until this returns
     * @throws Exception any exception; {@link Pool#use} throws it unchanged
     */
    T apply(R resource) throws Exception;
}
