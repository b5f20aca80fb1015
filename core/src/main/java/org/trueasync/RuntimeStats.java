package org.trueasync;

/**
 * The counts of a runtime: a snapshot. Taking it changes nothing. The counts agree with each other, except when another
 * thread reads them while the loop has been blocked for a second.
 *
 * <p>Any thread.
 *
 * @param coroutines that have not ended, main included: {@code notBegun + running + suspended}
 * @param notBegun coroutines that have not had their first turn
 * @param running 1 while a coroutine runs, else 0
 * @param suspended coroutines that have begun and do not run: they wait, or they are ready
 * @param queued entries of the run queue now
 * @param blocked coroutines that JDK code has parked now
 * @param activeEvents things from outside (timers, sockets, threads) that can wake a coroutine now; hidden events do
 *     not count
 * @param timers timers armed now. Time-outs of JDK waits count; the timer of the runtime's failure notices does not
 * @param reactorHandles handles that the reactor has open for the program now; those that the runtime needs for itself
 *     do not count
 * @param idleContexts execution contexts in the pool now: stacks without a coroutine
 * @param spawned coroutines spawned so far
 * @param contextsCreated execution contexts created so far
 * @param directSwitches suspensions that switched to the next coroutine directly
 * @param schedulerSwitches suspensions that left the choice to the loop, because nothing was ready or a poll was due
 * @param contextReuses coroutines that began where another had just ended, without a switch
 * @param reactorTurns polls of the reactor so far, whether they waited or not
 * @param utilisation the part of the last 10 s in which the loop did not wait for work, from 0 to 1; of the time since
 *     its start if that is less. What the reactor does inside a poll that waits counts as waiting
 * @param lagMillis how long what becomes ready waits for its turn, in milliseconds, averaged over the last 10 s. It is
 *     measured by rounds: a round begins after a poll, and ends with the first poll at which all that was ready then
 *     has had its turn. Each moment counts with the length of its round, and with 0 while the loop waits for work
 * @param heldMillis milliseconds so far in rounds of 10 ms or longer
 * @param holds such rounds so far
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
        long reactorTurns,
        double utilisation,
        double lagMillis,
        long heldMillis,
        long holds) {
    /** All zero, for the case that there is no runtime. */
    public static final RuntimeStats NONE =
            new RuntimeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns how many coroutines have ended so far. */
    public long completed() {
        return spawned - coroutines;
    }

    /** Returns the number of context switches so far: {@code directSwitches + schedulerSwitches}. */
    public long switches() {
        return directSwitches + schedulerSwitches;
    }
}
