package org.trueasync.spi;

/**
 * How many visible sources of events of one runtime are armed or in flight. Zero, with nothing else to run, means that nothing can wake
 * anyone. Loop thread only, except {@code count}.
 */
public final class ActiveEvents {
    private final Runnable requireLoopThread;
    private int count;

    /** A count of zero that any thread may change; for tests of events by themselves. */
    public ActiveEvents() {
        this(() -> {});
    }

    /**
     * A count of zero.
     *
     * @param requireLoopThread throws if called on a thread that may not touch the events counted here
     */
    public ActiveEvents(Runnable requireLoopThread) {
        this.requireLoopThread = requireLoopThread;
    }

    /**
     * Fails unless called on the thread that the events counted here belong to.
     *
     * @throws org.trueasync.AsyncException says which thread that is
     */
    public void requireLoopThread() {
        requireLoopThread.run();
    }

    /**
     * One more source can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    public void increment() {
        requireLoopThread.run();
        count++;
    }

    /**
     * One source less can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    public void decrement() {
        requireLoopThread.run();
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
