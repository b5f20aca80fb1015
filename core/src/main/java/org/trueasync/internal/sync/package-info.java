/**
 * Coroutines that wait for each other: permits with a wait queue, latches, barriers. Only between coroutines of one
 * runtime; threads have java.util.concurrent.
 */
@NullMarked
package org.trueasync.internal.sync;

import org.jspecify.annotations.NullMarked;
