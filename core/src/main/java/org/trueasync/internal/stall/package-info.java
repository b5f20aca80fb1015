/**
 * Coroutines that wait for ever in a run that goes on, found by looking at them from time to time; {@code internal.watchdog} says when. That nobody at all can go on is found by the
 * kernel itself.
 */
@NullMarked
package org.trueasync.internal.stall;

import org.jspecify.annotations.NullMarked;
