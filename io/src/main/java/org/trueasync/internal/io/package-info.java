/**
 * The implementation of {@link org.trueasync.io}: streams whose requests wait their turn, listening and datagram
 * sockets, the terminal. Turns the reactor's handles and listeners into events that coroutines await. Also names and
 * addresses: look-ups on helper threads, since the system's resolver blocks its thread.
 */
@NullMarked
package org.trueasync.internal.io;

import org.jspecify.annotations.NullMarked;
