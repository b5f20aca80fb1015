package org.trueasync.internal.time;

/** Something that is due at a time, in a {@link TimerHeap}. */
public abstract class TimerEntry {
    static final long DISARMED = 0;

    /** Its place in the order of arming, which is also what tells its cell of the heap from those it has left behind. */
    long order = DISARMED;

    /** An entry that is not armed. */
    protected TimerEntry() {}

    /** True while it is in the heap. */
    public final boolean isArmed() {
        return order != DISARMED;
    }

    /** Reads something of what {@link #fire} will read first. The value means nothing. */
    protected abstract int lookAt();

    /**
     * The deadline has come. Called while still armed, in the middle of a turn of the loop; must disarm or rearm it.
     *
     * @param now nanoseconds of the reactor's clock
     */
    protected abstract void fire(long now);
}
