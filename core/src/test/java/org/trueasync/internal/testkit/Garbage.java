package org.trueasync.internal.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trueasync.internal.failure.Handles;

/** The garbage collector, for tests of what is told when a handle is lost. */
public final class Garbage {
    private Garbage() {}

    /**
     * Collects, and holds the calling thread until the threads that tell of lost handles have had their turn: a loop
     * that does nothing but collect stops them again and again.
     */
    public static void collect() {
        Handles.runBegins(); // the caller may be outside of a run
        try {
            collectAndTell();
        } finally {
            Handles.runEnds();
        }
    }

    private static void collectAndTell() {
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

    /**
     * The bytes in use on the heap that collections leave. The least of several readings: one reading counts more, what
     * cleaners still hold, and the buffers in which other threads have begun to allocate since.
     */
    public static long bytesThatStay() {
        Runtime jvm = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            collect();
            least = Math.min(least, jvm.totalMemory() - jvm.freeMemory());
        }
        return least;
    }
}
