package org.trueasync.internal.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trueasync.internal.unobserved.Handles;

/** The garbage collector, for tests of what is told when a handle is lost. */
public final class Garbage {
    private Garbage() {}

    /**
     * Collects, and holds the calling thread until the threads that tell of lost handles have had their turn: a loop
     * that does nothing but collect stops them again and again.
     */
    public static void collect() {
        var told = new AtomicBoolean();
        Handles.whenUnreachable(new Object(), () -> told.set(true));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            System.gc();
            long round = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (!told.get() && System.nanoTime() < round) Thread.onSpinWait();
        } while (!told.get() && System.nanoTime() < end);
        if (!told.get()) throw new AssertionError("nothing was told of garbage within 60 s");
    }
}
