package org.trueasync.internal.pool;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * A resource of a pool, from its making to its end. While the resource is lent, the slot does not hold it. So the pool
 * learns when the user has lost it; not before the last finalizer that could bring it back.
 */
final class Slot<R> extends PhantomReference<R> {
    /** The resource's identity hash, by which the table finds this slot even when the resource is gone. */
    final int hash;
    /**
     * The resource while the pool has it: idle, promised or inside a hook; null while it is in use, and once it is
     * gone.
     */
    @Nullable
    R held;
    /**
     * The id of the coroutine that has acquired the resource, while it is lent; 0 for none. An id keeps nothing alive.
     */
    long taker;
    /** True if the resource was just made for the current acquire. */
    boolean isNew;
    /** The place where the resource was acquired, if that is recorded. */
    @Nullable
    String site;

    Slot(R resource, ReferenceQueue<? super R> gone) {
        super(resource, gone);
        hash = System.identityHashCode(resource);
        held = resource;
    }

    /** Returns the resource. It must not be lent. */
    R resource() {
        R resource = held;
        if (resource == null) throw new AssertionError("Bug in TrueAsync: a pool uses a resource that it has lent");
        return resource;
    }
}
