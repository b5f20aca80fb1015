/** Coroutines that wait for each other: permits in line, latches, barriers. Between coroutines of one runtime; threads have java.util.concurrent. */
@NullMarked
package org.trueasync.internal.sync;

import org.jspecify.annotations.NullMarked;
