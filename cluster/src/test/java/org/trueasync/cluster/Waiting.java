package org.trueasync.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.trueasync.Async;

/** Waits for what other members and the engine's threads do in their own time. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private Waiting() {}

    /** Only this coroutine waits, and looks often. */
    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) throw new AssertionError("not within " + LIMIT + ": " + what);
            Async.delay(5);
        }
    }
}
