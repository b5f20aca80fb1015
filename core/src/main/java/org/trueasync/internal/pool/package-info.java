/**
 * Pools of resources and circuit breakers: what {@link org.trueasync.Pool} is a thin handle of. {@code PoolCore} has the rules of who gets
 * what; {@code Search} and {@code Releases} what happens to a resource on its way out and back. The line of waiters, the ring of idle resources, the table of all of them, the
 * event, the health check and the watch for lost ones are pieces of their own.
 */
@NullMarked
package org.trueasync.internal.pool;

import org.jspecify.annotations.NullMarked;
