package org.trueasync.internal.error;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Throws errors of tasks to their awaiters. */
public final class Throwing {
    private Throwing() {}

    /**
     * Throws any error as if it were unchecked. Write {@code throw sneaky(e)}, so that the compiler sees that the path
     * ends.
     *
     * @param error thrown as it is
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
        throw (E) error;
    }

    /**
     * Returns the error for an awaiter: unchecked exceptions and errors as they are, a checked exception as the cause
     * of a {@link java.util.concurrent.CompletionException}.
     *
     * @param error the task's error
     */
    public static Throwable forAwaiter(Throwable error) {
        return isChecked(error) ? Causes.wrapped(error) : error;
    }

    /** True for an exception that {@link #forAwaiter} wraps. */
    public static boolean isChecked(@Nullable Throwable error) {
        return error != null && !(error instanceof RuntimeException || error instanceof Error);
    }

    /**
     * Calls an action for each element, also if an earlier call has thrown. Then throws the first error, with the later
     * ones suppressed.
     */
    public static <T> void forEach(Iterable<T> elements, Consumer<? super T> action) {
        Throwable failure = null;
        for (T element : elements) {
            try {
                action.accept(element);
            } catch (Throwable e) {
                failure = Causes.joined(failure, e);
            }
        }
        if (failure != null) throw sneaky(failure);
    }
}
