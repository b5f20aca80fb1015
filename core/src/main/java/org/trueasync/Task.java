package org.trueasync;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.internal.error.Throwing;

/**
 * A piece of work with a result, written as a lambda or a method reference: it may throw anything that is an {@link Exception}.
 *
 * <p>It is every other shape of work as well, which is what makes it the one that the compiler takes where a method has an overload for each of them: a lambda
 * with a value is never taken for work without one, nor is a reference to an overloaded method ambiguous. There is no need to name it: who has a {@link Callable}, a
 * {@link Supplier}, a {@link Body} or a {@link Runnable} passes it as it is.
 *
 * <p>Called on the loop thread, in a coroutine, unless the method that takes it says otherwise.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // the other shapes do the same work, each in its own words
public interface Task<T> extends Callable<T>, Supplier<T>, VoidTask {
    /**
     * Does the work.
     *
     * @return its result, may be null
     * @throws Exception whatever the work throws; it reaches whoever awaits the work
     */
    @Override
    T call() throws Exception;

    /** The result. What the work throws is thrown as it is, also where it is a checked exception. */
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
