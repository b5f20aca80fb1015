/**
 * Pools of resources and circuit breakers: what {@link org.trueasync.Pool} is a thin handle of. {@code PoolCore} has the rules of acquiring and releasing; the line of
 * waiters, the ring of idle resources, the table of all of them, the health check and the watch for lost ones are pieces of their own.
 */
@NullMarked
package org.trueasync.internal.pool;

import org.jspecify.annotations.NullMarked;
