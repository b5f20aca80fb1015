package org.trueasync.internal.future;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Future;

/** From a future to its core and back, for other packages: what the public class does not show. */
public abstract class FutureAccess {
    private static @Nullable FutureAccess access;

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

    /** Initialised by the JVM under a lock, once: whoever gets here sees what the public class has registered. */
    private static final class Registered {
        static final FutureAccess ACCESS = registered();

        private static FutureAccess registered() {
            try {
                MethodHandles.lookup().ensureInitialized(Future.class);
            } catch (IllegalAccessException e) {
                throw new ExceptionInInitializerError(e);
            }
            return Objects.requireNonNull(access);
        }
    }

    /**
     * The core behind a future.
     *
     * @param future any
     */
    public static <T> FutureCore<T> coreOf(Future<T> future) {
        return Registered.ACCESS.core(future);
    }

    /**
     * A future for users.
     *
     * @param core what it shows
     */
    public static <T> Future<T> handleOf(FutureCore<T> core) {
        return Registered.ACCESS.handle(core);
    }

    /**
     * See {@link #coreOf}.
     *
     * @param future any
     */
    protected abstract <T> FutureCore<T> core(Future<T> future);

    /**
     * See {@link #handleOf}.
     *
     * @param core what it shows
     */
    protected abstract <T> Future<T> handle(FutureCore<T> core);
}
