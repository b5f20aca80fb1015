package org.trueasync;

/**
 * Work with a resource of a {@link Pool}, in the caller's own code; see {@link Section}. Programs need not name this
 * type.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <R> type of the resource
 * @param <T> type of the result
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface PoolSection<R, T, X extends Exception> extends PoolFunction<R, T>, VoidPoolSection<R, X> {
    /**
     * Does the work.
     *
     * @param resource used by the caller alone until this returns
     * @throws X any exception; {@link Pool#use} throws it unchanged
     */
    @Override
    T apply(R resource) throws X;

    @Override
    default void accept(R resource) throws X {
        apply(resource);
    }
}
