/**
 * Signals of the process as something to wait for: one table for all runtimes; the JVM's own behaviour is put back
 * after the last waiter.
 */
@NullMarked
package org.trueasync.internal.signal;

import org.jspecify.annotations.NullMarked;
