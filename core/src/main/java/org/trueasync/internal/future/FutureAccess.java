package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;

/** Gives other packages of the library the core of a future, which the public class does not show. */
public abstract class FutureAccess {
    /** The public class's implementation; null until that class is initialised. */
    private static volatile @Nullable FutureAccess access;

    protected FutureAccess() {}

    /**
     * Registers the implementation. Called once, by the initialiser of the public class.
     *
     * @param access the implementation
     */
    public static void register(FutureAccess access) {
        FutureAccess.access = access;
    }

    /**
     * Returns the core behind a future; null if the object is no future.
     *
     * @param object any
     */
    public static @Nullable FutureCore<?> coreOf(Object object) {
        FutureAccess registered = access;
        return registered == null ? null : registered.core(object);
    }

    /**
     * See {@link #coreOf}.
     *
     * @param object any
     */
    protected abstract @Nullable FutureCore<?> core(Object object);
}
