package org.trueasync.spi;

/**
 * The status of a coroutine's waker in the cycle of waiting and waking.
 *
 * <p>Any thread.
 */
public enum WakerStatus {
    /** The coroutine runs; the waker is not in use. */
    NO_STATUS,
    /** The coroutine is suspended and the waker watches its events. */
    WAITING,
    /** Woken: the result is stored and the coroutine is in the run queue. */
    QUEUED,
    /** Queued, but cancelled before it started: the scheduler ends it instead of running it. */
    IGNORED,
    /**
     * The coroutine has been switched in, or has not suspended because the wait was over at once, and may read the
     * result.
     */
    RESULT
}
