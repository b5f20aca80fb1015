package org.trueasync.spi;

/**
 * How many visible sources of events of one runtime are armed or in flight. Zero, with nothing else to run, means that nothing can wake
 * anyone. Loop thread only.
 */
public final class ActiveEvents {
    private int count;

    /** A count of zero. */
    public ActiveEvents() {}

    /** One more source can fire. */
    public void increment() {
        count++;
    }

    /** One source less can fire. */
    public void decrement() {
        if (count == 0)
            throw new IllegalStateException(
                    "Bug in TrueAsync: more events stopped than started; please report this trace");
        count--;
    }

    /** The sources that can fire now, never negative. */
    public int count() {
        return count;
    }
}
