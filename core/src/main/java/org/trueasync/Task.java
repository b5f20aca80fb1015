package org.trueasync;

import java.util.concurrent.Callable;

/**
 * A piece of work with a result, written as a lambda or a method reference: it may throw any {@link Exception}.
 *
 * <p>It is a {@link Callable} and a {@link Body}, so the compiler prefers it where a method has an overload for each of
 * them: a lambda with a value is never taken for work without one, and a reference to an overloaded method is not
 * ambiguous. Programs need not name it: a {@link Callable} or a {@link Body} can be passed as it is, and a
 * {@link Runnable} as {@code runnable::run}.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // both methods do the same work
public interface Task<T> extends Callable<T>, Body {
    /**
     * Does the work.
     *
     * @return its result, may be null
     * @throws Exception any exception; unless the method that takes the work says otherwise, a wait for the work throws
     *     it, a checked one as the cause of a {@link java.util.concurrent.CompletionException}
     */
    @Override
    T call() throws Exception;

    @Override
    default void run() throws Exception {
        call();
    }
}
