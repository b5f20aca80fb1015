/**
 * What is behind {@link org.trueasync.io}: streams with requests that wait their turn, listening and datagram sockets, the terminal. Turns the reactor's
 * handles and listeners into events that coroutines await.
 */
@NullMarked
package org.trueasync.internal.io;

import org.jspecify.annotations.NullMarked;
