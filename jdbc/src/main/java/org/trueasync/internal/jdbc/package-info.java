/**
 * What is behind {@link org.trueasync.jdbc.PooledDataSource}: physical connections and what becomes of them between two users, their leases to coroutines, and
 * the handles in JDBC's interfaces that users have of both. Uses the core's public side only.
 */
@NullMarked
package org.trueasync.internal.jdbc;

import org.jspecify.annotations.NullMarked;
