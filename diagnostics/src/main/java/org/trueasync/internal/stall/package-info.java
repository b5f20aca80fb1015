/**
 * Coroutines that wait for ever in a run that goes on, found by looking at them from time to time;
 * {@code internal.watchdog} says when. The kernel itself finds out that no coroutine at all can go on.
 */
@NullMarked
package org.trueasync.internal.stall;

import org.jspecify.annotations.NullMarked;
