package org.trueasync.spi;

/**
 * What a {@link org.trueasync.Pool} calls to create, check and destroy its resources. For extensions that own a kind of
 * resource; the pool calls it directly, without the callbacks that {@code Pool.of} takes. Pass it to {@code Pool.with}.
 *
 * <p>A method is called in the coroutine whose call needs it: one that builds the pool, acquires, releases, discards or
 * closes. The health check calls {@link #isHealthy}, {@link #create} and {@link #destroy} in a coroutine of the pool.
 * All may wait. Meanwhile no other coroutine uses the resource, and it counts as active; there is one call at a time
 * for each resource.
 *
 * <p>Called on the loop thread.
 *
 * @param <R> type of the resources
 */
public interface PoolHooks<R> {
    /**
     * Creates a resource.
     *
     * @return a resource that is not in the pool already; not null
     * @throws Exception thrown to the caller whose call needed the resource, a checked one as the cause of a
     *     {@link java.util.concurrent.CompletionException}; in the health check, reported
     */
    R create() throws Exception;

    /**
     * Destroys a resource; called once for each, except for those that became unreachable without being released. No
     * ordinary cancellation is thrown inside.
     *
     * @param resource a resource that is not in use
     * @throws Exception thrown to the caller whose call destroyed the resource, a checked one as the cause of a
     *     {@link java.util.concurrent.CompletionException}. If another error is thrown already, it is suppressed in
     *     that error or reported; in the health check, reported
     */
    default void destroy(R resource) throws Exception {}

    /**
     * Checks a resource that is about to be lent. Not called for one that was created for this very call.
     *
     * @param resource from the pool
     * @return false to destroy it and take another one
     * @throws Exception counts as false
     */
    default boolean beforeAcquire(R resource) throws Exception {
        return true;
    }

    /**
     * Checks a resource that is released to an open pool.
     *
     * @param resource from its user
     * @return false to destroy it, which counts as a failure for the circuit breaker
     * @throws Exception counts as false
     */
    default boolean beforeRelease(R resource) throws Exception {
        return true;
    }

    /**
     * Checks an idle resource; called periodically, if the pool has a {@code healthcheckInterval}.
     *
     * @param resource from the pool
     * @return false to destroy it
     * @throws Exception counts as false
     */
    default boolean isHealthy(R resource) throws Exception {
        return true;
    }
}
