package org.trueasync.internal.pool;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.PoolHooks;

/**
 * The user's callbacks, as hooks.
 *
 * @param factory makes a resource
 * @param destructor destroys one
 * @param healthcheck checks an idle one
 * @param beforeAcquire checks one that is about to be handed out, unless it was made for this very acquire
 * @param beforeRelease checks one that comes back
 */
public record CallbackHooks<R>(
        Callable<? extends R> factory,
        @Nullable Consumer<? super R> destructor,
        @Nullable Predicate<? super R> healthcheck,
        @Nullable Predicate<? super R> beforeAcquire,
        @Nullable Predicate<? super R> beforeRelease)
        implements PoolHooks<R> {
    @Override
    public R create() throws Exception {
        return factory.call();
    }

    @Override
    public void destroy(R resource) {
        if (destructor != null) destructor.accept(resource);
    }

    @Override
    public boolean beforeAcquire(R resource) {
        return beforeAcquire == null || beforeAcquire.test(resource);
    }

    @Override
    public boolean beforeRelease(R resource) {
        return beforeRelease == null || beforeRelease.test(resource);
    }

    @Override
    public boolean isHealthy(R resource) {
        return healthcheck == null || healthcheck.test(resource);
    }
}
