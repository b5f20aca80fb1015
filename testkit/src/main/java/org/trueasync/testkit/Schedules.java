package org.trueasync.testkit;

import java.util.random.RandomGenerator;
import org.trueasync.Body;

/**
 * Explores orders: runs a body in virtual time again and again, each time under another seed, and reports the first that fails. What varies is
 * said by {@link Vary}; by default what the world outside decides, so that a failure is a bug.
 *
 * <p>The body makes everything that it uses: what several runs share is not repeated by a seed. It should be short; thousands of runs take a
 * second.
 */
public final class Schedules {
    /** The system property that names one seed to run, instead of all that would be explored. */
    public static final String SEED_PROPERTY = "org.trueasync.testkit.seed";

    private Schedules() {}

    /**
     * Runs a body under so many seeds, always the same ones; the first is the usual order.
     *
     * @param orders >= 1
     * @param body the test
     * @throws ScheduleFailure if one of them fails; names the seed
     */
    public static void explore(int orders, Body body) {
        of(orders).run(body);
    }

    /**
     * Runs a body under the seed that an exploration has named.
     *
     * @param seed of the {@link ScheduleFailure}
     * @param body the same
     * @throws ScheduleFailure if it fails
     */
    public static void replay(long seed, Body body) {
        of(1).replay(seed, body);
    }

    /**
     * An exploration with settings of its own.
     *
     * @param orders >= 1
     */
    public static Exploration of(int orders) {
        return new Exploration(orders);
    }

    /** Random decisions of the body itself; the run's seed decides about them as well. From inside of a run in virtual time. */
    public static RandomGenerator random() {
        return VirtualTime.reactor("Schedules.random").random();
    }
}
