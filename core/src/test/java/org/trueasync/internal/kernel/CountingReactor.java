package org.trueasync.internal.kernel;

import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.internal.testkit.VirtualReactor;

/** Counts how often its loop is woken. */
final class CountingReactor extends VirtualReactor {
    final AtomicInteger triggers = new AtomicInteger();

    @Override
    public void trigger() {
        triggers.incrementAndGet();
        super.trigger();
    }
}
