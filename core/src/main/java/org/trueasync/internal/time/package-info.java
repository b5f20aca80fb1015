/**
 * Timers: a heap of deadlines behind the reactor's one alarm, timeouts and limits made of them, and the moments when
 * the reactor is due. The clock is the reactor's, real or virtual.
 */
@NullMarked
package org.trueasync.internal.time;

import org.jspecify.annotations.NullMarked;
