package org.trueasync;

/**
 * Anything that a coroutine can wait for: a coroutine, a timeout, a socket, a signal.
 *
 * <p>Every awaitable of this library is an {@link org.trueasync.spi.Event}; this type is what user code sees of it.
 */
public interface Awaitable {}
