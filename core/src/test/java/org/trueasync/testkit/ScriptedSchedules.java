package org.trueasync.testkit;

import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.spi.SchedulerProvider;

/** Explores orders in a world that has sockets, whose other end is the test. */
public final class ScriptedSchedules {
    private ScriptedSchedules() {}

    /** The reactor of the running order. */
    public static ScriptedReactor reactor() {
        return (ScriptedReactor) SchedulerProvider.get().reactor();
    }

    public static Exploration of(int orders) {
        return Schedules.of(orders).world(ScriptedReactor::new);
    }
}
