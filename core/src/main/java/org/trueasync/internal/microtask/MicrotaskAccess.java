package org.trueasync.internal.microtask;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler alone may do with microtasks. Programs extend their class, which does not show it to them. Loop thread, but for {@link #install}.
 *
 * @param <M> that class
 */
public abstract class MicrotaskAccess<M> {
    private static @Nullable MicrotaskAccess<?> installed;

    /** For the class of microtasks. */
    protected MicrotaskAccess() {}

    /**
     * Called once, when the class of microtasks is initialised: before there is any.
     *
     * @param access to all of them
     */
    public static void install(MicrotaskAccess<?> access) {
        installed = access;
    }

    /** The access to a microtask that there is. */
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
     * It is in the queue no longer: it has its turn, then the queue's reference is dropped, whatever happened.
     *
     * @param microtask that was first in the queue
     * @throws Throwable what the microtask throws, with what its release throws suppressed
     */
    public abstract void turn(M microtask) throws Throwable;
}
