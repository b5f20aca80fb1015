package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreakerStrategy;

/**
 * What a pool is built from.
 *
 * @param name for people
 * @param min how many it keeps
 * @param max how many it has at most
 * @param healthcheckNanos how often it looks at what is idle; 0 for never
 * @param strategy of its breaker, or null
 * @param acquireSites whether it remembers where each resource was acquired
 */
public record PoolSettings(
        String name,
        int min,
        int max,
        long healthcheckNanos,
        @Nullable CircuitBreakerStrategy strategy,
        boolean acquireSites) {
    /** Fails if the numbers don't go together. */
    public PoolSettings {
        if (min < 0) throw new IllegalArgumentException("min of a pool must be >= 0, got " + min);
        if (max < 1) throw new IllegalArgumentException("max of a pool must be >= 1, got " + max);
        if (min > max)
            throw new IllegalArgumentException("min of a pool must be <= max, got min " + min + " and max " + max);
    }
}
