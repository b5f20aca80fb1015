package org.trueasync.internal.pool;

import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** The end of a pool, as an event. It has no source to arm; disposing of it closes the pool. */
final class PoolEnd extends Event {
    private final PoolCore<?> pool;

    PoolEnd(PoolCore<?> pool) {
        this.pool = pool;
        setHidden(true);
    }

    /**
     * Called when the pool begins to end; false if the callbacks have been called already because the event was
     * disposed of.
     */
    boolean ends() {
        boolean wasOpen = !isClosed();
        close();
        return wasOpen;
    }

    void fire() {
        notifyCallbacks(null, null);
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public boolean replay(EventCallback callback) {
        if (super.replay(callback)) return true;
        if (!isClosed()) return false;
        deliver(callback, null, null);
        return true;
    }

    @Override
    protected RuntimeException disposedError() {
        return pool.closedError();
    }

    @Override
    protected void release() {
        pool.close();
    }

    @Override
    protected void requireLoopThread() {
        pool.loop.requireLoopThread("the event of a Pool");
    }

    @Override
    public String info() {
        return pool.info();
    }
}
