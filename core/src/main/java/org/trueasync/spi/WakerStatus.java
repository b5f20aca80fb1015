package org.trueasync.spi;

/**
 * Where a coroutine's waker is in the cycle of waiting and waking.
 *
 * <p>Any thread.
 */
public enum WakerStatus {
    /** The coroutine runs; the waker is not in use. */
    NO_STATUS,
    /** The coroutine is suspended and the waker watches its events. */
    WAITING,
    /** Woken: the result is stored and the coroutine stands in the run queue. */
    QUEUED,
    /** Queued, but cancelled before it started: the scheduler ends it instead of running it. */
    IGNORED,
    /** The coroutine has been switched in and may read the result. */
    RESULT
}
