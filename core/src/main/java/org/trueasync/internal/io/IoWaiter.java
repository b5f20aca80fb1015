package org.trueasync.internal.io;

import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.kernel.Loop;

/** One coroutine's place in a queue at a handle. While it waits there, it counts as something that can still be woken, as what it waits for is outside. */
public abstract class IoWaiter extends Waiter {
    private final Loop loop;
    private final String what;

    /**
     * A wait that has not begun.
     *
     * @param loop of the coroutine
     * @param queue where it will stand
     * @param what to wait for, for people
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
