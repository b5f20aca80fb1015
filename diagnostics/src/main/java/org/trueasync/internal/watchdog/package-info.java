/** Reports what holds a loop for too long, and waits that have no end, from threads beside the loop. */
@NullMarked
package org.trueasync.internal.watchdog;

import org.jspecify.annotations.NullMarked;
