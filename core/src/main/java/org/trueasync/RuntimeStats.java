package org.trueasync;

/**
 * What a runtime is doing and has done. A snapshot; taking it changes nothing.
 *
 * <p>Any thread.
 *
 * @param coroutines alive now, main included: those not begun, the running one and the suspended ones
 * @param notBegun coroutines that have not had their first turn
 * @param running 1 if it is a coroutine that asks, else 0
 * @param suspended coroutines that wait, or are ready and wait for their turn
 * @param queued entries of the run queue now
 * @param blocked coroutines that JDK code has parked now
 * @param activeEvents visible sources of events that can fire now
 * @param timers timers armed now, with the limits of waits in JDK code, but for the one with which the runtime waits to tell of failures
 * @param reactorHandles what the reactor has open in the system now, its own apart
 * @param idleContexts stacks waiting for a coroutine now
 * @param spawned coroutines spawned so far
 * @param contextsCreated stacks created so far
 * @param directSwitches suspensions that went straight to the next coroutine
 * @param schedulerSwitches suspensions that found nothing to run, or the reactor due
 * @param contextReuses coroutines that began where another had just ended, without a switch
 * @param reactorTurns turns of the reactor
 */
public record RuntimeStats(
        int coroutines,
        int notBegun,
        int running,
        int suspended,
        int queued,
        int blocked,
        int activeEvents,
        int timers,
        int reactorHandles,
        int idleContexts,
        long spawned,
        long contextsCreated,
        long directSwitches,
        long schedulerSwitches,
        long contextReuses,
        long reactorTurns) {
    /** All zero: where there is no runtime. */
    public static final RuntimeStats NONE = new RuntimeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Coroutines that have ended so far. */
    public long completed() {
        return spawned - coroutines;
    }

    /** Context switches so far. */
    public long switches() {
        return directSwitches + schedulerSwitches;
    }
}
