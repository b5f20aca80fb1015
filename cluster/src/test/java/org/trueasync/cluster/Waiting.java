package org.trueasync.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.trueasync.Async;

/** Waits for what other members and the engine's threads do in their own time. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private Waiting() {}

    /** Only this coroutine waits, and looks often. */
    static void until(String what, BooleanSupplier condition) {
        until(what, condition::getAsBoolean, holds -> holds);
    }

    /** The same, for a state that a failure shows. */
    static <T> void until(String what, Supplier<T> state, Predicate<T> condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (T last; !condition.test(last = state.get()); Async.delay(5))
            if (System.nanoTime() - end > 0)
                throw new AssertionError("not within " + LIMIT + ": " + what + ": " + last);
    }
}
