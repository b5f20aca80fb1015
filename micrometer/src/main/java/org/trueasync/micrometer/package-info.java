/**
 * Binders for Micrometer. Each is made once, bound to any number of registries, and closed when its meters are to go.
 * Meters read counters in any thread: no loop does anything for them, and they work while it is held.
 */
@NullMarked
package org.trueasync.micrometer;

import org.jspecify.annotations.NullMarked;
