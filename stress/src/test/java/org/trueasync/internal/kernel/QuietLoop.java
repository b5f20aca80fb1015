package org.trueasync.internal.kernel;

import java.time.Duration;
import org.trueasync.internal.task.Settings;
import org.trueasync.internal.testkit.VirtualReactor;

/** A scheduler that no thread runs, because a {@link RemoteQueue} needs one. */
final class QuietLoop {
    private static final CountingReactor REACTOR = new CountingReactor();

    static final Loop SCHEDULER = new Loop(
            new Settings(
                    "stress",
                    () -> REACTOR,
                    0,
                    false,
                    0,
                    0,
                    Duration.ZERO,
                    Duration.ZERO,
                    false,
                    Duration.ZERO,
                    Duration.ZERO,
                    false,
                    null,
                    null,
                    text -> {}),
            REACTOR);

    private QuietLoop() {}

    /** Returns how often the reactor was triggered so far. In each test only the thread that posts asks this. */
    static int triggers() {
        return REACTOR.triggers;
    }

    private static final class CountingReactor extends VirtualReactor {
        int triggers;

        @Override
        public void trigger() {
            triggers++;
        }
    }
}
