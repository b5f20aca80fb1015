package org.trueasync;

/**
 * Anything that a coroutine can wait for: a coroutine, a timeout, a socket, a signal.
 *
 * <p>This is the type that user code sees; behind it are {@link org.trueasync.spi.Event}s.
 *
 * <p>Loop thread only, as far as waiting goes; each type says on which threads its methods may be called.
 */
public interface Awaitable {}
