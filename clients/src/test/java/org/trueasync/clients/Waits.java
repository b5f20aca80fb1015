package org.trueasync.clients;

import static org.trueasync.Async.delay;

import java.util.function.BooleanSupplier;
import org.trueasync.Async;

/** Runs and waits, for the tests of all clients. */
final class Waits {
    private Waits() {}

    interface Body {
        void run() throws Exception;
    }

    /** Runs a body in the main coroutine of a new runtime. */
    static void onLoop(Body body) {
        Async.run(() -> {
            body.run();
        });
    }

    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) delay(1);
    }
}
