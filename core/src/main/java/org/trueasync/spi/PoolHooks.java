package org.trueasync.spi;

/**
 * What a {@link org.trueasync.Pool} calls to create, check and destroy its resources. For extensions that own a kind of
 * resource; the pool calls it directly, without the callbacks that {@code Pool.of} takes. Pass it to {@code Pool.with}.
 *
 * <p>The methods are called in the coroutine that acquires or releases, {@link #isHealthy} in a coroutine of the pool,
 * and may wait. Meanwhile no other coroutine uses the resource, and it counts as active; there is one call at a time
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
     * @throws Exception thrown to the caller that asked for a resource
     */
    R create() throws Exception;

    /**
     * Destroys a resource; called once for each.
     *
     * @param resource a resource that is not in use
     * @throws Exception thrown to the caller whose call destroyed the resource; reported if another error is thrown
     *     already
     */
    default void destroy(R resource) throws Exception {}

    /**
     * Checks a resource that was used before, when it is about to be lent again.
     *
     * @param resource from the pool
     * @return false to destroy it and take another one
     * @throws Exception counts as false
     */
    default boolean beforeAcquire(R resource) throws Exception {
        return true;
    }

    /**
     * Checks a resource that is given back.
     *
     * @param resource from its user
     * @return false to destroy it, which counts as a failure
     * @throws Exception counts as false
     */
    default boolean beforeRelease(R resource) throws Exception {
        return true;
    }

    /**
     * Checks an idle resource; called periodically.
     *
     * @param resource from the pool
     * @return false to destroy it
     * @throws Exception counts as false
     */
    default boolean isHealthy(R resource) throws Exception {
        return true;
    }
}
