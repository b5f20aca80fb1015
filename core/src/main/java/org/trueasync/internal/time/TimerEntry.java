package org.trueasync.internal.time;

/** An entry of a {@link TimerHeap}, which is due at a time. */
public abstract class TimerEntry {
    static final long DISARMED = 0;

    /** Its number in the order of arming. It also tells its current cell in the heap from stale ones. */
    long order = DISARMED;

    protected TimerEntry() {}

    public final boolean isArmed() {
        return order != DISARMED;
    }

    /** Reads some of the memory that {@link #fire} will read first. The value means nothing. */
    protected abstract int readAhead();

    /**
     * Fires the entry at its deadline. Called while it is still armed, in the middle of a turn of the loop; must disarm
     * or rearm it.
     *
     * @param now nanoseconds of the reactor's clock
     */
    protected abstract void fire(long now);
}
