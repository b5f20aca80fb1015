package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;

/** Finds the resource for an acquire that has a permit: the one reserved with it, if the hook agrees, else another idle one, else a new one. */
final class Search<R> {
    private final PoolCore<R> pool;

    Search(PoolCore<R> pool) {
        this.pool = pool;
    }

    /**
     * The one to hand out; if there is none, because of an error or as the pool was closed, the permit is free.
     *
     * @param slot the resource reserved with the permit, or null
     */
    Slot<R> from(@Nullable Slot<R> slot) {
        try {
            if (slot == null) slot = otherIdle();
            while (slot != null && !pool.isShut() && !isUsable(slot)) slot = otherIdle();
            if (slot == null) {
                slot = pool.stock.create();
                slot.isNew = true;
            }
            if (pool.isShut()) {
                pool.stock.destroy(slot, ResourceStore.CLOSED);
                throw pool.closed();
            }
            return slot;
        } catch (Throwable e) {
            pool.freePlace();
            throw e;
        }
    }

    /** Something idle instead of the empty permit, which is freed. */
    private @Nullable Slot<R> otherIdle() {
        if (pool.isShut()) throw pool.closed();
        Slot<R> slot = pool.idle.poll();
        if (slot != null) pool.freePlace();
        return slot;
    }

    /** False if it was refused and so destroyed: the permit is empty then. */
    private boolean isUsable(Slot<R> slot) {
        if (!pool.looksBeforeAcquire) return true;
        boolean usable = false;
        boolean decided = false;
        try {
            usable = pool.hooks.beforeAcquire(slot.resource());
            decided = true;
        } catch (Exception e) {
            // as good as no
            decided = true;
        } finally {
            if (!decided) pool.stock.destroyAfterError(slot, "beforeAcquire failed");
        }
        if (!usable) pool.stock.destroy(slot, "refused by beforeAcquire");
        return usable;
    }
}
