/**
 * What is behind {@link org.trueasync.io.Exec} and {@link org.trueasync.io.ChildProcess}: starting programs, collecting what they write, and
 * ending them. Turns the reactor's children and their pipes into events that coroutines await.
 */
@NullMarked
package org.trueasync.internal.process;

import org.jspecify.annotations.NullMarked;
