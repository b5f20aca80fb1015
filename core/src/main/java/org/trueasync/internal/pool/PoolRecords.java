package org.trueasync.internal.pool;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.CircuitBreakerState;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.PoolException;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.internal.recorder.PoolEvents;
import org.trueasync.internal.recorder.PoolEvents.Begun;

/**
 * Records pools for the flight recorder, while a recording wants them. A record that can't be made is left out: nothing
 * here throws.
 */
final class PoolRecords {
    private PoolRecords() {}

    static @Nullable Begun waits(PoolCore<?> pool, Coroutine<?> waiter, int waitingBefore) {
        if (!PoolEvents.waits()) return null;
        return begun(() -> PoolEvents.waitBegins(runtime(pool), pool.settings.name(), waiter.id(), waitingBefore));
    }

    static void waited(@Nullable Begun wait, @Nullable Throwable thrown) {
        if (wait != null) safely(() -> PoolEvents.waitEnds(wait, outcome(thrown)));
    }

    private static String outcome(@Nullable Throwable thrown) {
        return switch (thrown) {
            case null -> "granted";
            case AsyncTimeoutException _ -> "timed out";
            case OperationCanceledException _ -> "token ended";
            case AsyncCancellation _ -> "cancelled";
            case PoolException _ -> "closed";
            case ServiceUnavailableException _ -> "unavailable";
            default -> "failed";
        };
    }

    static @Nullable Begun creates(PoolCore<?> pool) {
        if (!PoolEvents.creates()) return null;
        return begun(() -> PoolEvents.createBegins(runtime(pool), pool.settings.name()));
    }

    static void created(@Nullable Begun create, @Nullable Throwable error) {
        if (create != null) safely(() -> PoolEvents.createEnds(create, error));
    }

    static @Nullable Begun destroys(PoolCore<?> pool, String reason) {
        if (!PoolEvents.destroys()) return null;
        return begun(() -> PoolEvents.destroyBegins(runtime(pool), pool.settings.name(), reason));
    }

    static void destroyed(@Nullable Begun destroy, @Nullable Throwable error) {
        if (destroy != null) safely(() -> PoolEvents.destroyEnds(destroy, error));
    }

    static void lost(PoolCore<?> pool, @Nullable String site) {
        if (PoolEvents.leaks()) safely(() -> PoolEvents.lost(runtime(pool), pool.settings.name(), site));
    }

    static void changed(String breaker, CircuitBreakerState from, CircuitBreakerState to) {
        if (PoolEvents.states()) safely(() -> PoolEvents.changed(breaker, from.name(), to.name()));
    }

    private static String runtime(PoolCore<?> pool) {
        return pool.loop.name();
    }

    private static @Nullable Begun begun(Supplier<Begun> begin) {
        try {
            return begin.get();
        } catch (Throwable unrecorded) {
            // no stack or memory is left, for instance; recording must not change what happens
            return null;
        }
    }

    private static void safely(Runnable commit) {
        try {
            commit.run();
        } catch (Throwable unrecorded) {
            // as above
        }
    }
}
