package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;

/** From a future to its core, for other packages: what the public class does not show. */
public abstract class FutureAccess {
    /** Null as long as there is no future. */
    private static volatile @Nullable FutureAccess access;

    /** For the public class. */
    protected FutureAccess() {}

    /**
     * Called once, by the public class as it is initialised.
     *
     * @param access its own
     */
    public static void register(FutureAccess access) {
        FutureAccess.access = access;
    }

    /**
     * The core behind a future; null if it is none.
     *
     * @param perhaps anything
     */
    public static @Nullable FutureCore<?> coreOf(Object perhaps) {
        FutureAccess registered = access;
        return registered == null ? null : registered.core(perhaps);
    }

    /**
     * See {@link #coreOf}.
     *
     * @param perhaps anything
     */
    protected abstract @Nullable FutureCore<?> core(Object perhaps);
}
