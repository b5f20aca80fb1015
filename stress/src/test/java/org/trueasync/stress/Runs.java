package org.trueasync.stress;

import java.time.Duration;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;

/** Makes runtimes with real time and a real selector, which run on the calling thread. */
final class Runs {
    private Runs() {}

    static AsyncRuntime runtime() {
        return Async.runtime()
                .name("stress")
                .reactor("nio")
                .stackSize(0)
                .heldLoopAfter(Duration.ZERO)
                .build();
    }
}
