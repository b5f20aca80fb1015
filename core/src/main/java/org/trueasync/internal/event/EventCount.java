package org.trueasync.internal.event;

import org.trueasync.spi.ActiveEvents;

/** The count of a runtime's active events. A wait for something that is not an event counts itself here. */
public final class EventCount extends ActiveEvents {
    private final Runnable requireLoopThread;
    private int count;

    /**
     * Creates a count of zero.
     *
     * @param requireLoopThread throws if called on a thread that may not touch the events counted here
     */
    public EventCount(Runnable requireLoopThread) {
        this.requireLoopThread = requireLoopThread;
    }

    @Override
    public void requireLoopThread() {
        requireLoopThread.run();
    }

    @Override
    public void increment() {
        requireLoopThread.run();
        count++;
    }

    @Override
    public void decrement() {
        requireLoopThread.run();
        if (count == 0)
            throw new IllegalStateException(
                    "Bug in TrueAsync: more events stopped than started; please report this trace");
        count--;
    }

    @Override
    public int count() {
        return count;
    }
}
