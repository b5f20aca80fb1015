package org.trueasync.internal.bridge;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What only the scheduler may do with microtasks. Users extend the class of microtasks, which does not show this to
 * them. Loop thread, except {@link #install}.
 *
 * @param <M> the class of microtasks
 */
public abstract class MicrotaskAccess<M> {
    private static @Nullable MicrotaskAccess<?> installed;

    /** For the class of microtasks. */
    protected MicrotaskAccess() {}

    /**
     * Installs the access. Called once, when the class of microtasks is initialised, before there is any microtask.
     *
     * @param access to all of them
     */
    public static void install(MicrotaskAccess<?> access) {
        installed = access;
    }

    /** The installed access. */
    @SuppressWarnings("unchecked") // there is one class of them
    public static <M> MicrotaskAccess<M> to(M microtask) {
        return (MicrotaskAccess<M>) Objects.requireNonNull(installed, "no access to microtasks is installed");
    }

    /**
     * Takes the queue's reference.
     *
     * @param microtask to be queued
     * @return false if it is queued already
     */
    public abstract boolean takeIntoQueue(M microtask);

    /**
     * Runs a microtask that has left the queue, unless it was cancelled; then drops the queue's reference in any case.
     *
     * @param microtask that was first in the queue
     * @throws Throwable what the microtask throws, with what its release throws suppressed
     */
    public abstract void turn(M microtask) throws Throwable;
}
