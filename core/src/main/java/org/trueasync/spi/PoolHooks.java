package org.trueasync.spi;

/**
 * What a {@link org.trueasync.Pool} calls for its resources: the way in for extensions that own a kind of resource, called directly, without the layer of
 * callbacks that {@code Pool.of} takes. Give it to {@code Pool.with}.
 *
 * <p>Each is called in the coroutine that acquires or releases, in a coroutine of the pool's for the health check, and may wait. Meanwhile the resource belongs to the
 * call alone and counts as active; there is one call at a time for each resource.
 *
 * <p>Called on the loop thread.
 *
 * @param <R> type of the resources
 */
public interface PoolHooks<R> {
    /**
     * Makes a resource.
     *
     * @return one that is not in the pool already; not null
     * @throws Exception reaches whoever asked for a resource
     */
    R create() throws Exception;

    /**
     * Ends a resource; called once for each.
     *
     * @param resource nobody's any more
     * @throws Exception reaches whoever made the pool destroy it
     */
    default void destroy(R resource) throws Exception {}

    /**
     * Looks at a resource that was used before, as it is about to be handed out.
     *
     * @param resource from the pool
     * @return false to have it destroyed and another one taken
     * @throws Exception counts as false
     */
    default boolean beforeAcquire(R resource) throws Exception {
        return true;
    }

    /**
     * Looks at a resource that comes back.
     *
     * @param resource from its user
     * @return false to have it destroyed, which counts as a failure
     * @throws Exception counts as false
     */
    default boolean beforeRelease(R resource) throws Exception {
        return true;
    }

    /**
     * Looks at a resource that is idle, from time to time.
     *
     * @param resource from the pool
     * @return false to have it destroyed
     * @throws Exception counts as false
     */
    default boolean isHealthy(R resource) throws Exception {
        return true;
    }
}
