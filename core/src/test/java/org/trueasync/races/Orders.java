package org.trueasync.races;

import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.testkit.Exploration;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.ScriptedSchedules;
import org.trueasync.testkit.Vary;

/** How many orders of each kind a race is explored in, and which. */
public final class Orders {
    /** The share of a race whose orders take long, as those of a server and its clients. */
    private static final int SOME = 20;

    private static int ofEachKind = Depth.of(1_000, 10_000);
    private static long from = 1;
    private static long explored;

    private Orders() {}

    /**
     * Explores other orders from now on; for the night.
     *
     * @param count of each kind
     * @param first the number of the first seed
     */
    static void are(int count, long first) {
        ofEachKind = count;
        from = first;
    }

    /** How many have been explored so far. */
    static long explored() {
        return explored;
    }

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
        explore(Schedules.of(ofEachKind), body);
    }

    /**
     * As {@link #exploreCompletions}, with sockets that do what the body says, see {@link ScriptedSchedules}.
     *
     * @param body makes everything that it uses
     */
    public static void exploreScripted(Body body) {
        explore(ScriptedSchedules.of(ofEachKind), body);
    }

    /**
     * As {@link #exploreAll}, with sockets that do what the body says, see {@link ScriptedSchedules}.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreAllScripted(Body body) {
        exploreScripted(body);
        explore(ScriptedSchedules.of(ofEachKind).varying(Vary.values()), body);
    }

    /**
     * As {@link #exploreAll}, in a fifth of the orders, with a disk whose calls end in any order, see
     * {@link ScriptedSchedules#disk}.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreAllOnDisk(Body body) {
        int count = Math.max(2, ofEachKind / 5);
        explore(ScriptedSchedules.onDisk(count), body);
        explore(ScriptedSchedules.onDisk(count).varying(Vary.values()), body);
    }

    /**
     * Varies what the world outside decides, first alone and then together with the order of those that are ready.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreAll(Body body) {
        exploreCompletions(body);
        explore(Schedules.of(ofEachKind).varying(Vary.values()), body);
    }

    /**
     * As {@link #exploreAll}, in fewer orders.
     *
     * @param body makes everything that it uses, and relies on no order of running
     */
    public static void exploreSome(Body body) {
        int count = Math.max(2, ofEachKind / SOME);
        explore(Schedules.of(count), body);
        explore(Schedules.of(count).varying(Vary.values()), body);
    }

    private static void explore(Exploration orders, Body body) {
        orders.from(from).run(() -> {
            explored++;
            body.run();
        });
    }
}
