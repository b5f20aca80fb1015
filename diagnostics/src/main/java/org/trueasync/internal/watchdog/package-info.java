/**
 * Reports what holds a loop for too long, and coroutines that wait for ever in a run that goes on, from threads beside
 * the loop. The kernel itself finds out that no coroutine at all can go on.
 */
@NullMarked
package org.trueasync.internal.watchdog;

import org.jspecify.annotations.NullMarked;
