/**
 * Pools of resources and circuit breakers: the implementation behind {@link org.trueasync.Pool}. {@code PoolCore} has
 * the rules of who gets what. {@code Search} and {@code Releases} handle a resource on its way out and back. The queue
 * of waiters, the ring of idle resources, the table of all of them, the event, the health check and the watch for lost
 * resources are classes of their own.
 */
@NullMarked
package org.trueasync.internal.pool;

import org.jspecify.annotations.NullMarked;
