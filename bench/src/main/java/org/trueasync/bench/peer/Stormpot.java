package org.trueasync.bench.peer;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import stormpot.Allocator;
import stormpot.BasePoolable;
import stormpot.Expiration;
import stormpot.Pool;
import stormpot.PoolTap;
import stormpot.Slot;
import stormpot.Timeout;

/**
 * The pool of Stormpot. Nothing expires, and nothing is watched. Its tap for a single thread is no quicker than the one
 * for all threads.
 */
public final class Stormpot extends PoolOnThreads<BasePoolable> {

    private static final Timeout LONG = new Timeout(1, TimeUnit.HOURS);

    private final Pool<BasePoolable> pool = Pool.from(new Resources())
            .setSize(RESOURCES)
            .setExpiration(Expiration.never())
            .setPreciseLeakDetectionEnabled(false)
            .setBackgroundExpirationEnabled(false)
            .build();
    private final PoolTap<BasePoolable> crowd = pool.getVirtualThreadSafeTap();
    private final PoolTap<BasePoolable> alone = pool.getThreadSafeTap();

    @Override
    BasePoolable take() throws InterruptedException {
        @Nullable BasePoolable resource = (Thread.currentThread().isVirtual() ? crowd : alone).claim(LONG);
        if (resource == null) throw new IllegalStateException("nothing came free in an hour");
        return resource;
    }

    @Override
    void giveBack(BasePoolable resource) {
        resource.release();
    }

    @Override
    public void close() {
        try {
            pool.shutdown().await(LONG);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
    }

    private static final class Resources implements Allocator<BasePoolable> {
        @Override
        public BasePoolable allocate(Slot slot) {
            return new BasePoolable(slot);
        }

        @Override
        public void deallocate(BasePoolable resource) {}
    }
}
