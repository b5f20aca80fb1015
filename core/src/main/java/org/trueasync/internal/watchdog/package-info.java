/** Reports what holds a loop for too long, from a thread beside it. */
@NullMarked
package org.trueasync.internal.watchdog;

import org.jspecify.annotations.NullMarked;
