/**
 * What is done on other threads while a coroutine waits: calls that block their thread, made on helper threads so that
 * only the calling coroutine waits for them, and the events of {@link org.trueasync.spi.Events} that other threads set.
 */
@NullMarked
package org.trueasync.internal.work;

import org.jspecify.annotations.NullMarked;
