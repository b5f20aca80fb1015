package org.trueasync;

/**
 * Work with a resource of a {@link Pool}, in the caller's own code, without a result; see {@link VoidSection}. Programs
 * need not name this type.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <R> type of the resource
 * @param <X> the checked exceptions that it throws; {@link RuntimeException} for none
 */
@FunctionalInterface
public interface VoidPoolSection<R, X extends Exception> {
    /**
     * Does the work.
     *
     * @param resource used by the caller alone until this returns
     * @throws X any exception; {@link Pool#use} throws it unchanged
     */
    void accept(R resource) throws X;
}
