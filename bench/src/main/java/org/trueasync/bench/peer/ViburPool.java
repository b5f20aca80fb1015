package org.trueasync.bench.peer;

import org.vibur.objectpool.ConcurrentPool;
import org.vibur.objectpool.PoolObjectFactory;
import org.vibur.objectpool.PoolService;
import org.vibur.objectpool.util.ConcurrentLinkedQueueCollection;

/** The object pool of vibur. */
public final class ViburPool extends PoolOnThreads<Object> {

    /**
     * Without fairness, a waiter spins each time that another user takes the resource first. With one carrier that took
     * twelve times as long.
     */
    private static final boolean FAIR = true;

    private final PoolService<Object> pool =
            new ConcurrentPool<>(new ConcurrentLinkedQueueCollection<>(), new Factory(), RESOURCES, RESOURCES, FAIR);

    @Override
    Object take() {
        return pool.take();
    }

    @Override
    void giveBack(Object resource) {
        pool.restore(resource);
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Factory implements PoolObjectFactory<Object> {
        @Override
        public Object create() {
            return new Object();
        }

        @Override
        public boolean readyToTake(Object resource) {
            return true;
        }

        @Override
        public boolean readyToRestore(Object resource) {
            return true;
        }

        @Override
        public void destroy(Object resource) {}
    }
}
