package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/**
 * The kernel's side of {@link Causes}: the running coroutine, and the exceptions of the API. See
 * {@link Causes#install}.
 */
public interface ErrorHost {
    /**
     * Makes every wait of the running coroutine fail from now on.
     *
     * @return the argument for {@link #allowWaits}; null if no coroutine runs, or it could not wait anyway
     */
    @Nullable
    Object refuseWaits();

    /**
     * Lets the coroutine wait again.
     *
     * @param refusing the result of {@link #refuseWaits}
     */
    void allowWaits(Object refusing);

    /** Returns the coroutine that runs, for messages; empty if none does. */
    String coroutineHere();

    /**
     * Returns an error around two, because the first one refuses suppressed errors.
     *
     * @param first the cause of the new error
     * @param next the second error
     */
    Throwable both(Throwable first, Throwable next);
}
