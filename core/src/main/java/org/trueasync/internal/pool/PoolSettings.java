package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreakerStrategy;

/**
 * The settings of a pool.
 *
 * @param name its name in messages
 * @param min the number of resources that are made when the pool is built; health checks make up for losses
 * @param max the largest number of resources
 * @param healthcheckNanos the period of health checks, in nanoseconds; 0 for none
 * @param strategy the breaker's strategy, or null
 * @param acquireSites true to record where each resource was acquired
 */
public record PoolSettings(
        String name,
        int min,
        int max,
        long healthcheckNanos,
        @Nullable CircuitBreakerStrategy strategy,
        boolean acquireSites) {
    /** Fails if the numbers are out of range or contradict each other. */
    public PoolSettings {
        if (min < 0) throw new IllegalArgumentException("min of a pool must be >= 0, got " + min);
        if (max < 1) throw new IllegalArgumentException("max of a pool must be >= 1, got " + max);
        if (min > max)
            throw new IllegalArgumentException("min of a pool must be <= max, got min " + min + " and max " + max);
    }
}
