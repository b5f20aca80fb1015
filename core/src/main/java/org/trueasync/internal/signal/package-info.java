/** Signals of the process as something to wait for: one table for all runtimes, and the JVM's own behaviour back after the last waiter. */
@NullMarked
package org.trueasync.internal.signal;

import org.jspecify.annotations.NullMarked;
