package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;
import org.trueasync.PoolException;
import org.trueasync.internal.kernel.Throwing;

/** All resources of a pool: makes them, finds them, ends them. Places are the pool's matter. */
final class Stock<R> {
    private final PoolCore<R> pool;
    private final LeakWatch<R> leaks;
    private final SlotTable<R> slots = new SlotTable<>();
    private long created;
    private long destroyed;
    private long leaked;

    Stock(PoolCore<R> pool, LeakWatch<R> leaks) {
        this.pool = pool;
        this.leaks = leaks;
    }

    boolean isEmpty() {
        return slots.size() == 0;
    }

    /** The slot of a resource, or null if it is none of this pool's. */
    @Nullable
    Slot<R> find(R resource) {
        return slots.find(resource);
    }

    /** Makes one in an empty place. */
    Slot<R> create() {
        R resource;
        try {
            resource = pool.hooks.create();
            if (resource == null) throw new PoolException(pool.info() + ": the factory returned null");
            if (slots.find(resource) != null)
                throw new PoolException(pool.info() + ": the factory returned a resource that is in the pool already");
        } catch (Exception e) {
            try {
                pool.breaker.unreachable(e);
            } catch (Throwable other) {
                if (other != e) e.addSuppressed(other);
            }
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        }
        created++;
        Slot<R> slot = leaks.newSlot(resource);
        slots.add(slot);
        return slot;
    }

    /** Ends a resource; its place is still taken. */
    void destroy(Slot<R> slot) {
        try {
            pool.hooks.destroy(slot.resource());
        } catch (Exception e) {
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        } finally {
            slots.remove(slot);
            slot.clear();
            slot.held = null;
            destroyed++;
        }
    }

    /** The same, where another error is on its way. */
    void destroyAfterError(Slot<R> slot) {
        try {
            destroy(slot);
        } catch (Throwable e) {
            pool.scheduler.report(pool.info() + ": the destructor failed: " + e);
        }
    }

    /** Its holder has vanished, and with him the resource; false if it was gone already. */
    boolean loses(Slot<R> slot) {
        if (!slots.remove(slot)) return false;
        leaked++;
        return true;
    }

    long created() {
        return created;
    }

    long destroyed() {
        return destroyed;
    }

    long leaked() {
        return leaked;
    }
}
