package org.trueasync;

/**
 * Anything that a coroutine can wait for: a coroutine, a timeout, a socket, a signal.
 *
 * <p>Every awaitable of this library is an {@link org.trueasync.spi.Event}; this type is what user code sees of it.
 *
 * <p>Loop thread only, as far as waiting goes; what else may be asked of one, and where, its type says.
 */
public interface Awaitable {}
