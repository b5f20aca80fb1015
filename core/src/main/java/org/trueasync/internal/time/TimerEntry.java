package org.trueasync.internal.time;

/** Something that is due at a time: one place in a {@link TimerHeap}. */
public abstract class TimerEntry {
    /** Place in the heap, -1 while not armed. */
    int index = -1;

    /** Order of arming, for equal deadlines. */
    long sequence;

    /** An entry that is not armed. */
    protected TimerEntry() {}

    /** True while it is in the heap. */
    public final boolean isArmed() {
        return index >= 0;
    }

    /**
     * The deadline has come. Called while still armed, in the middle of a turn of the loop.
     *
     * @param now nanoseconds of the reactor's clock
     */
    protected abstract void fire(long now);
}
