package org.trueasync.clients;

import static org.trueasync.Async.delay;

import java.util.function.BooleanSupplier;
import org.trueasync.Async;

/** What the tests of all clients need. */
final class Waits {
    private Waits() {}

    interface Body {
        void run() throws Exception;
    }

    /** A run. */
    static void onLoop(Body body) {
        Async.run(() -> {
            body.run();
        });
    }

    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) delay(1);
    }
}
