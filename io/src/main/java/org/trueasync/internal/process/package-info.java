/**
 * Child processes and signals. Behind {@link org.trueasync.io.Exec} and {@link org.trueasync.io.ChildProcess}: starts
 * programs, collects their output and ends them; turns the reactor's children and their pipes into events that
 * coroutines await. Signals of this process are awaited by means of one table for all runtimes; the JVM's own behaviour
 * is put back after the last waiter.
 */
@NullMarked
package org.trueasync.internal.process;

import org.jspecify.annotations.NullMarked;
