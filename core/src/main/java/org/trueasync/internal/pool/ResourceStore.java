package org.trueasync.internal.pool;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.PoolException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.recorder.PoolEvents.Begun;
import org.trueasync.spi.SchedulerProvider;

/** All resources of a pool: makes them, finds them, destroys them. It does not count permits; {@link PoolCore} does. */
final class ResourceStore<R> {
    static final String CLOSED = "closed";
    private static final int MAX_CHECKED_FOR_CYCLES = 1_000;

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
        return slots.size() <= MAX_CHECKED_FOR_CYCLES && slots.all(slot -> addTaker(slot, by));
    }

    private boolean addTaker(Slot<R> slot, Collection<Coroutine<?>> by) {
        if (slot.held != null || slot.refersTo(null)) return false;
        Coroutine<?> taker = Inspection.waiting(pool.loop, slot.taker);
        return taker != null && by.add(taker);
    }

    /** See {@link org.trueasync.internal.event.WaitForNode#addHolders}. */
    void addHolders(Collection<Long> ids) {
        slots.all(slot -> {
            if (slot.held == null && slot.taker != 0) ids.add(slot.taker);
            return true;
        });
    }

    /** Returns the slot of a resource; null if it does not belong to this pool. */
    @Nullable
    Slot<R> find(R resource) {
        return slots.find(resource);
    }

    /** Makes a resource. The caller has an empty permit. */
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

    /** Destroys a resource; its permit remains taken. The reason is recorded. */
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

    /**
     * Calls the destructor in a protected section: a cancellation must not leave it half done, since nothing would
     * finish it.
     */
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

    /** Destroys a resource while another error is on its way. Only reports what the destructor throws. */
    void destroyAfterError(Slot<R> slot, String reason) {
        try {
            destroy(slot, reason);
        } catch (Throwable e) {
            pool.loop.report(pool.info() + ": the destructor failed: " + Causes.text(e));
        }
    }

    /**
     * Removes the slot of a resource that was lost by its user. The slot is in the table: one whose resource was
     * destroyed is cleared, so it is never enqueued as lost.
     */
    void removeLost(Slot<R> slot) {
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
