/**
 * Timers: a heap of deadlines behind the reactor's one alarm, and the timeouts made of them. The clock is the reactor's, real or virtual; it is
 * not read anywhere else.
 */
@NullMarked
package org.trueasync.internal.time;

import org.jspecify.annotations.NullMarked;
