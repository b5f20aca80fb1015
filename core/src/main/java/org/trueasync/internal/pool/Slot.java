package org.trueasync.internal.pool;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A resource of a pool, for as long as it is the pool's. While it is in somebody's hands the pool holds it weakly: that is how it learns that nobody has it any more.
 */
final class Slot<R> extends WeakReference<R> {
    /** What the table finds it by, also when the resource is gone. */
    final int hash;
    /** The resource while the pool has it: idle, promised or inside a hook; null while it is in use, and once it is gone. */
    @Nullable
    R held;
    /** The number of the coroutine that has taken it, while it is in use; 0 for none. A number, so that it keeps nothing alive. */
    long taker;
    /** Just made for who waits for it. */
    boolean isNew;
    /** Where it was acquired, if that is recorded. */
    @Nullable
    String site;

    Slot(R resource, ReferenceQueue<? super R> gone) {
        super(resource, gone);
        hash = System.identityHashCode(resource);
        held = resource;
    }

    /** The resource, which the pool has. */
    R resource() {
        R resource = held;
        if (resource == null) throw new AssertionError("Bug in TrueAsync: a pool uses a resource that it has lent");
        return resource;
    }
}
