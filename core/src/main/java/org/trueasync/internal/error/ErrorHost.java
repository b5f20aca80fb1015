package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/** What the kernel knows and this package does not: which coroutine runs, and the exceptions of the API. See {@link Causes#install}. */
public interface ErrorHost {
    /**
     * Has the running coroutine refuse to wait from now on.
     *
     * @return for {@link #allowWaits}; null if no coroutine runs, or it could not wait anyway
     */
    @Nullable
    Object refuseWaits();

    /**
     * The coroutine may wait again.
     *
     * @param refusing what {@link #refuseWaits} has returned
     */
    void allowWaits(Object refusing);

    /** Which coroutine runs, for a person to read; empty if none does. */
    String coroutineHere();

    /**
     * An error around two, for one that refuses to carry another.
     *
     * @param first its cause
     * @param next comes second
     */
    Throwable both(Throwable first, Throwable next);
}
