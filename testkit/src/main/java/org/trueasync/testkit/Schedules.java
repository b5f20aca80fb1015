package org.trueasync.testkit;

import java.util.random.RandomGenerator;
import org.trueasync.Body;

/**
 * Explores orders of events: runs a body in virtual time many times, each time under another seed, and reports the
 * first seed that fails. {@link Vary} lists what may vary; by default it is what the world outside decides, so a
 * failure is a bug.
 *
 * <p>The body must create everything that it uses: a seed can't repeat a run that depends on state shared by runs. It
 * should be short; thousands of runs take a second.
 */
public final class Schedules {
    /** The system property that names one seed to run, instead of all that would be explored. */
    public static final String SEED_PROPERTY = "org.trueasync.testkit.seed";

    private Schedules() {}

    /**
     * Runs a body under a number of seeds, always the same ones; the first is the usual order. If
     * {@link #SEED_PROPERTY} is set, runs that seed alone.
     *
     * @param orders >= 1
     * @param body the test
     * @throws ScheduleFailure if one of the runs fails; the message names the seed and tells what happened
     * @throws AssertionError if one run takes longer than 30 s of real time
     * @throws IllegalArgumentException if {@code orders} is less than 1, or the property less than 0
     */
    public static void explore(int orders, Body body) {
        of(orders).run(body);
    }

    /**
     * Runs a body under the seed that an exploration has named.
     *
     * @param seed the seed of the {@link ScheduleFailure}
     * @param body the test that failed
     * @throws ScheduleFailure if it fails
     * @throws AssertionError if the run takes longer than 30 s of real time
     * @throws IllegalArgumentException if the seed is less than 0
     */
    public static void replay(long seed, Body body) {
        of(1).replay(seed, body);
    }

    /**
     * Returns an exploration, to set options before it runs.
     *
     * @param orders >= 1
     * @throws IllegalArgumentException if {@code orders} is less than 1
     */
    public static Exploration of(int orders) {
        return new Exploration(orders);
    }

    /**
     * Random numbers for the body's own decisions, derived from the run's seed. Inside a run in virtual time, on its
     * loop thread.
     *
     * @throws org.trueasync.AsyncException outside a run in virtual time
     */
    public static RandomGenerator random() {
        return VirtualTime.reactor("Schedules.random").random();
    }
}
