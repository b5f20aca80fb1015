package org.trueasync.internal.error;

/** How an error of a task reaches whoever waits for it. */
public final class Throwing {
    private Throwing() {}

    /**
     * Throws anything as if it were unchecked; write {@code throw sneaky(e)} so that the compiler sees the end of the path.
     *
     * @param error thrown as it is
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
        throw (E) error;
    }

    /**
     * What an awaiter sees: unchecked exceptions and errors as they are, a checked exception as the cause of a {@link java.util.concurrent.CompletionException}.
     *
     * @param error what the task threw
     */
    public static Throwable forAwaiter(Throwable error) {
        if (error instanceof RuntimeException || error instanceof Error) return error;
        return Causes.wrapped(error);
    }
}
