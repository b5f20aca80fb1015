package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;

/**
 * Finds the resource for an acquire that has a permit: the one reserved with the permit, if the hook accepts it, else
 * another idle one, else a new one.
 */
final class Search<R> {
    private final PoolCore<R> pool;

    Search(PoolCore<R> pool) {
        this.pool = pool;
    }

    /**
     * Returns the slot to hand out. If this throws, because of an error or because the pool was closed, the permit has
     * been given up.
     *
     * @param slot the resource reserved with the permit, or null
     */
    Slot<R> from(@Nullable Slot<R> slot) {
        try {
            if (slot == null) slot = otherIdle();
            while (slot != null && !pool.isClosed() && !isUsable(slot)) slot = otherIdle();
            if (slot == null) {
                slot = pool.store.create();
                slot.isNew = true;
            }
            if (pool.isClosed()) {
                pool.store.destroy(slot, ResourceStore.CLOSED);
                throw pool.closedError();
            }
            return slot;
        } catch (Throwable e) {
            pool.freePermit();
            throw e;
        }
    }

    /** Takes an idle resource, which has its own permit, and frees the empty one; null if none is idle. */
    private @Nullable Slot<R> otherIdle() {
        if (pool.isClosed()) throw pool.closedError();
        Slot<R> slot = pool.idle.poll();
        if (slot != null) pool.freePermit();
        return slot;
    }

    /**
     * Asks the hook. False if the hook has refused the resource; that has then been destroyed, and the permit is empty.
     */
    private boolean isUsable(Slot<R> slot) {
        if (!pool.checksBeforeAcquire) return true;
        boolean usable = false;
        boolean decided = false;
        try {
            usable = pool.hooks.beforeAcquire(slot.resource());
            decided = true;
        } catch (Exception e) {
            // counts as a refusal
            decided = true;
        } finally {
            if (!decided) pool.store.destroyAfterError(slot, "beforeAcquire failed");
        }
        if (!usable) pool.store.destroy(slot, "refused by beforeAcquire");
        return usable;
    }
}
