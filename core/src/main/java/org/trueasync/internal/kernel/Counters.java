package org.trueasync.internal.kernel;

/**
 * Counts of what the scheduler did, for {@code runtimeStats} and for the tests of what operations cost. Written on the
 * loop thread; other threads may read them in a race.
 */
final class Counters {
    /** Suspensions and ends of coroutines after which their own tick found what runs next. */
    long directSwitches;

    /**
     * Suspensions and ends of coroutines that handed control to the loop's own frame: nothing was ready, a poll was
     * due, or the service had work.
     */
    long schedulerSwitches;

    /** Coroutines that began on the context on which another had just ended: no switch. */
    long contextReuses;

    /** Execution contexts created so far; that of a thread of the thread factory counts once the thread is started. */
    long contextsCreated;

    /** Polls, waiting or not. */
    long reactorTurns;

    /** Coroutines spawned so far. */
    long spawned;

    /** Of these, the ones that have had their first turn, or have ended without one. */
    long begun;
}
