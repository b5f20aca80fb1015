package org.trueasync.internal.io;

import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.kernel.Loop;

/**
 * One coroutine's place in a wait queue of a handle. While it waits, it is in the active count, because what wakes it
 * comes from outside.
 */
public abstract class IoWaiter extends Waiter {
    private final Loop loop;
    private final String what;

    /**
     * Makes a wait that has not begun.
     *
     * @param loop of the coroutine
     * @param queue that the coroutine joins when it waits
     * @param what it waits for, for reports
     */
    protected IoWaiter(Loop loop, WaitQueue<?> queue, String what) {
        super(queue);
        this.loop = loop;
        this.what = what;
    }

    @Override
    protected void arm() {
        loop.activeEvents().increment();
        super.arm();
    }

    @Override
    protected void disarm() {
        super.disarm();
        loop.activeEvents().decrement();
    }

    @Override
    public String info() {
        return what;
    }
}
