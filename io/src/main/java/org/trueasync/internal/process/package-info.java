/**
 * The implementation of {@link org.trueasync.io.Exec} and {@link org.trueasync.io.ChildProcess}: starts programs,
 * collects their output and ends them. Turns the reactor's children and their pipes into events that coroutines await.
 */
@NullMarked
package org.trueasync.internal.process;

import org.jspecify.annotations.NullMarked;
