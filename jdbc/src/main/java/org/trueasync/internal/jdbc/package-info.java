/**
 * The implementation of {@link org.trueasync.jdbc.PooledDataSource}: physical connections and how they are cleaned
 * between two users, their leases, and the handles that users have in place of the driver's objects. Uses only what
 * core exports.
 */
@NullMarked
package org.trueasync.internal.jdbc;

import org.jspecify.annotations.NullMarked;
