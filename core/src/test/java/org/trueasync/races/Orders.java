package org.trueasync.races;

import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.ScriptedSchedules;
import org.trueasync.testkit.Vary;

/** How many orders of each kind a race is explored in. */
public final class Orders {
    private static final int OF_EACH_KIND = Depth.of(1_000, 10_000);

    private Orders() {}

    /** Inside of a body: waits until nothing is to come from outside, and everybody has gone as far as he can. */
    public static void settle() {
        var world = (VirtualReactor) SchedulerProvider.get().reactor();
        // a delay of its own may come before what is outside, and who runs meanwhile may ask for more
        for (int quiet = 0; quiet < 3; quiet = world.expected() == 0 ? quiet + 1 : 0) Async.delay(50);
    }

    /**
     * Varies what the world outside decides; what is promised about the order of running holds.
     *
     * @param body makes everything that it uses
     */
    public static void exploreCompletions(Body body) {
        Schedules.explore(OF_EACH_KIND, body);
    }

    /**
     * As {@link #exploreCompletions}, with sockets that do what the body says, see {@link ScriptedSchedules}.
     *
     * @param body makes everything that it uses
     */
    public static void exploreScripted(Body body) {
        ScriptedSchedules.explore(OF_EACH_KIND, body, Vary.COMPLETIONS);
    }

    /**
     * As {@link #exploreAll}, with sockets that do what the body says, see {@link ScriptedSchedules}.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreAllScripted(Body body) {
        exploreScripted(body);
        ScriptedSchedules.explore(OF_EACH_KIND, body, Vary.values());
    }

    /**
     * Varies what the world outside decides, first alone and then together with the order of those that are ready.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreAll(Body body) {
        exploreCompletions(body);
        Schedules.of(OF_EACH_KIND).varying(Vary.values()).run(body);
    }
}
