/** JDBC for coroutines: {@link org.trueasync.jdbc.PooledDataSource}. */
@NullMarked
package org.trueasync.jdbc;

import org.jspecify.annotations.NullMarked;
