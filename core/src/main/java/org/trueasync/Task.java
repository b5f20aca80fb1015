package org.trueasync;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.internal.error.Throwing;

/**
 * A piece of work with a result, written as a lambda or a method reference: it may throw any {@link Exception}.
 *
 * <p>It extends the other interfaces for work, so the compiler prefers it where a method has an overload for each of
 * them: a lambda with a value is never taken for work without one, and a reference to an overloaded method is not
 * ambiguous. Programs need not name it: a {@link Callable}, a {@link Supplier}, a {@link Body} or a {@link Runnable}
 * can be passed as it is.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // all its methods do the same work
public interface Task<T> extends Callable<T>, Supplier<T>, VoidTask {
    /**
     * Does the work.
     *
     * @return its result, may be null
     * @throws Exception any exception; unless the method that takes the work says otherwise, a wait for the work throws
     *     it, a checked one as the cause of a {@link java.util.concurrent.CompletionException}
     */
    @Override
    T call() throws Exception;

    /** Does the work and returns the result. What the work throws is thrown unchanged, even a checked exception. */
    @Override
    default T get() {
        try {
            return call();
        } catch (Exception e) {
            throw Throwing.sneaky(e);
        }
    }

    @Override
    default void perform() throws Exception {
        call();
    }
}
