package org.trueasync.internal.pool;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.PoolException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;

/** Handles resources that come back. */
final class Releases<R> {
    private final PoolCore<R> pool;
    private final boolean checks;

    Releases(PoolCore<R> pool, boolean checks) {
        this.pool = pool;
        this.checks = checks;
    }

    /**
     * Finds the slot of a resource that was lent, and marks it as the pool's again.
     *
     * @param guess the slot that is tried first, or null
     */
    Slot<R> takeBack(@Nullable Slot<R> guess, R resource, String call) {
        Objects.requireNonNull(resource, "resource");
        Slot<R> slot = guess;
        if (slot == null || slot.held != null || !slot.refersTo(resource)) slot = find(resource, call);
        slot.held = resource;
        return slot;
    }

    private Slot<R> find(R resource, String call) {
        Slot<R> slot = pool.store.find(resource);
        if (slot == null || slot.held != null) throw notLent(resource, slot != null, call);
        return slot;
    }

    private IllegalStateException notLent(R resource, boolean known, String call) {
        String what = resource.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(resource));
        return new IllegalStateException(call + " of " + what + ", which "
                + (known ? "was released already" : "is none of this pool's, or was released and destroyed already")
                + "; release the very object that acquire returned, once: " + pool.info());
    }

    /**
     * Asks the hook. Then reports to the breaker and reuses the resource, or, if the hook has refused it, destroys it,
     * reports and frees its permit. If the pool is closed, destroys it without asking. The first error on the way is
     * thrown at the end, with the others suppressed in it.
     */
    void settle(Slot<R> slot) {
        if (pool.isClosed()) {
            pool.destroyAndFree(slot, ResourceStore.CLOSED);
            return;
        }
        Throwable refusal = refusal(slot);
        // an exception of the hook refuses the resource; an error, also a cancellation, is thrown to the caller,
        // whatever else is thrown meanwhile
        Throwable thrown = refusal instanceof Error ? refusal : null;
        try {
            if (refusal != null) pool.store.destroy(slot, "refused by beforeRelease");
        } catch (Throwable e) {
            thrown = joined(thrown, e);
        }
        try {
            if (refusal == null) pool.breaker.success();
            else pool.breaker.failure(refusal);
        } catch (Throwable e) {
            thrown = joined(thrown, e);
        }
        try {
            if (refusal == null) pool.giveBack(slot);
            else pool.freePermit();
        } catch (Throwable e) {
            thrown = joined(thrown, e);
        }
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    /** Asks the hook; returns why it refuses the resource, or null. */
    private @Nullable Throwable refusal(Slot<R> slot) {
        if (!checks) return null;
        try {
            return pool.hooks.beforeRelease(slot.resource()) ? null : new PoolException(refused());
        } catch (Exception e) {
            return new PoolException(refused() + " by an exception", e);
        } catch (Throwable e) {
            return e;
        }
    }

    private String refused() {
        return pool.info() + ": beforeRelease refused a resource";
    }

    private static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null) return next;
        Causes.suppress(first, next);
        return first;
    }
}
