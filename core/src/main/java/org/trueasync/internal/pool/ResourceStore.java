package org.trueasync.internal.pool;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.PoolException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.recorder.PoolEvents.Begun;
import org.trueasync.internal.stall.WaitCycles;
import org.trueasync.spi.SchedulerProvider;

/** All resources of a pool: makes them, finds them, ends them. It does not count permits; the pool does. */
final class ResourceStore<R> {
    static final String CLOSED = "closed";
    private static final int MOST_REASONED_ABOUT = 1_000;

    private final PoolCore<R> pool;
    private final LeakWatch<R> leaks;
    private final SlotTable<R> slots = new SlotTable<>();
    private long created;
    private long destroyed;
    private long leaked;

    ResourceStore(PoolCore<R> pool, LeakWatch<R> leaks) {
        this.pool = pool;
        this.leaks = leaks;
    }

    boolean isEmpty() {
        return slots.size() == 0;
    }

    int size() {
        return slots.size();
    }

    /** See {@link PoolCore#addTakers}. */
    boolean addTakers(Collection<Coroutine<?>> by) {
        return slots.size() <= MOST_REASONED_ABOUT && slots.all(slot -> addTaker(slot, by));
    }

    private boolean addTaker(Slot<R> slot, Collection<Coroutine<?>> by) {
        if (slot.held != null || slot.refersTo(null)) return false;
        Coroutine<?> taker = WaitCycles.of(pool.loop).waiting(slot.taker);
        return taker != null && by.add(taker);
    }

    /** The slot of a resource, or null if it is none of this pool's. */
    @Nullable
    Slot<R> find(R resource) {
        return slots.find(resource);
    }

    /** Makes one. The caller has an empty permit. */
    Slot<R> create() {
        Begun record = PoolRecords.creates(pool);
        R resource;
        try {
            resource = made();
        } catch (Throwable e) {
            PoolRecords.created(record, e);
            throw e;
        }
        PoolRecords.created(record, null);
        created++;
        Slot<R> slot = leaks.newSlot(resource);
        slots.add(slot);
        return slot;
    }

    private R made() {
        try {
            R resource = pool.hooks.create();
            if (resource == null) throw new PoolException(pool.info() + ": the factory returned null");
            if (slots.find(resource) != null)
                throw new PoolException(pool.info() + ": the factory returned a resource that is in the pool already");
            return resource;
        } catch (Exception e) {
            try {
                pool.breaker.unreachable(e);
            } catch (Throwable other) {
                Causes.suppress(e, other);
            }
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        }
    }

    /** Ends a resource, for a reason that people read; its permit is still taken. */
    void destroy(Slot<R> slot, String reason) {
        Begun record = PoolRecords.destroys(pool, reason);
        Throwable thrown = null;
        try {
            destroy(slot.resource());
        } catch (Throwable e) {
            thrown = e;
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        } finally {
            PoolRecords.destroyed(record, thrown);
            slots.remove(slot);
            slot.clear();
            slot.held = null;
            destroyed++;
        }
    }

    /** A cancellation that is due, or comes, must not leave it half done: nobody would come back to it. */
    private void destroy(R resource) throws Exception {
        if (!pool.loop.maySuspend()) {
            pool.hooks.destroy(resource);
            return;
        }
        Optional<Throwable> failure = SchedulerProvider.get().shield(() -> {
            try {
                pool.hooks.destroy(resource);
                return Optional.empty();
            } catch (Throwable e) {
                return Optional.of(e);
            }
        });
        if (failure.isPresent()) throw Throwing.sneaky(failure.get());
    }

    /** The same, where another error is on its way. */
    void destroyAfterError(Slot<R> slot, String reason) {
        try {
            destroy(slot, reason);
        } catch (Throwable e) {
            pool.loop.report(pool.info() + ": the destructor failed: " + Causes.text(e));
        }
    }

    /** Its holder has vanished, and with him the resource. It is in the table: the slot of one that is destroyed tells of nothing any more. */
    void loses(Slot<R> slot) {
        slots.remove(slot);
        leaked++;
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
