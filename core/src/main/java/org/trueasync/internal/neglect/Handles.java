package org.trueasync.internal.neglect;

import java.lang.ref.Cleaner;

/** Tells when a handle can't be used any more. Any thread. */
public final class Handles {
    /** Its daemon thread serves all runtimes of the process. */
    private static final Cleaner CLEANER = Cleaner.create();

    private Handles() {}

    /**
     * Has an action run when a handle is unreachable.
     *
     * @param handle what to watch
     * @param action run on a thread of the JDK's; must not know the handle
     * @return runs the action at once instead
     */
    public static Cleaner.Cleanable whenUnreachable(Object handle, Runnable action) {
        return CLEANER.register(handle, action);
    }
}
