package org.trueasync.testkit.simulation;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.trueasync.Body;
import org.trueasync.testkit.Schedules;

/**
 * A whole service in one test: hosts with a network and disks between them, in virtual time, and faults. One seed
 * decides everything, so a failure repeats. Each host runs its program in a runtime of its own, on a reactor without an
 * operating system: the program is the one that ships.
 *
 * <p>A {@link Scenario} defines the hosts; then they run until all clients have ended. Hosts share the static fields of
 * this process, which a kill does not reset.
 */
public final class Simulation {
    private final SimulatedRun run;
    private final long seed;
    private int clients;

    Simulation(SimulatedRun run, long seed) {
        this.run = run;
        this.seed = seed;
    }

    // ---- running

    /**
     * Runs a scenario with the seeds 1, 2, 3, ... and throws for the first that fails. Any thread. The system property
     * {@code org.trueasync.testkit.seed} has it run that seed alone.
     *
     * @param seeds how many, 1 or more
     * @param scenario called for each of them
     * @throws SimulationFailure if a host fails, a check does, or a client does not end in time
     * @throws AssertionError if what {@link #sometimes} names was never true, or a run takes more than 30 s of real
     *     time
     */
    public static void explore(int seeds, Scenario scenario) {
        if (seeds < 1) throw new IllegalArgumentException("seeds must be >= 1, got " + seeds);
        Long chosen = Long.getLong(Schedules.SEED_PROPERTY);
        if (chosen != null) {
            replay(chosen, scenario);
            return;
        }
        var search = new Search(Objects.requireNonNull(scenario, "scenario"));
        search.run(1, seeds);
        if (seeds > 1) search.requireReached();
    }

    /**
     * Runs a scenario with one seed.
     *
     * @param seed which one
     * @param scenario called once, and more often if it fails
     */
    public static void replay(long seed, Scenario scenario) {
        new Search(Objects.requireNonNull(scenario, "scenario")).run(seed, 1);
    }

    // ---- what it consists of

    /**
     * Adds a host. Its program begins with the run, and again after a kill; when it returns, the host is down.
     *
     * @param name under which other hosts find it, {@code db} for instance
     * @param main the program
     */
    public Host host(String name, Body main) {
        return run.add(Objects.requireNonNull(name, "name"), Objects.requireNonNull(main, "main"), false);
    }

    /**
     * Adds a client: a host whose end is awaited. The run ends when all clients have ended.
     *
     * @param main the program
     */
    public Host client(Body main) {
        clients++;
        return run.add(clients == 1 ? "client" : "client" + clients, Objects.requireNonNull(main, "main"), true);
    }

    /**
     * Adds a program that runs after all clients have ended and all faults are over: the system must have come to rest,
     * or come to rest now. Hosts that are down begin again before.
     *
     * @param main the program of a further client
     */
    public void afterwards(Body main) {
        run.afterwards(Objects.requireNonNull(main, "main"));
    }

    /** The faults that happen; none at first. */
    public Faults faults() {
        return run.faults;
    }

    /**
     * Cuts the links between two hosts, both ways: what they send does not arrive, until {@link #mend}. TCP goes on
     * sending. Happens as soon as the caller waits.
     *
     * @param one its name
     * @param other its name
     * @throws IllegalArgumentException if there is no such host
     */
    public void cut(String one, String other) {
        link(one, other, true);
    }

    /**
     * Mends what {@link #cut} has cut.
     *
     * @param one its name
     * @param other its name
     */
    public void mend(String one, String other) {
        link(one, other, false);
    }

    private void link(String one, String other, boolean cuts) {
        String from = run.host(Objects.requireNonNull(one, "one")).name();
        String to = run.host(Objects.requireNonNull(other, "other")).name();
        run.soon(() -> {
            run.note("network", cuts ? "is cut:" : "is mended:", one + " and " + other);
            run.world.network().cut(from, to, cuts);
            run.world.network().cut(to, from, cuts);
        });
    }

    /**
     * Sets how long the clients may take, in virtual time. Default 1 h.
     *
     * @param atMost above 0
     * @throws IllegalArgumentException if it is not
     */
    public void timeLimit(Duration atMost) {
        run.timeLimit = Faults.requirePositive(atMost, "timeLimit");
    }

    // ---- checks, from any of its hosts

    /**
     * Fails the run if a condition does not hold.
     *
     * @param condition must be true
     * @param what it says, for people
     * @throws AssertionError if it is false
     */
    public void always(boolean condition, String what) {
        Objects.requireNonNull(what, "what");
        if (condition) return;
        var failure = new AssertionError("must always hold: " + what);
        run.failed("check", failure);
        throw failure;
    }

    /**
     * Notes a condition that must hold at some time in one of the seeds, so that a test that never gets there is
     * noticed.
     *
     * @param condition true if it holds now
     * @param what it says, for people
     */
    public void sometimes(boolean condition, String what) {
        run.reached.merge(Objects.requireNonNull(what, "what"), condition, Boolean::logicalOr);
    }

    /**
     * Notes a place that must be reached in one of the seeds. Call it when the scenario is defined as well, else nobody
     * knows of a place that is never reached.
     *
     * @param what is reached, for people
     */
    public void reachable(String what) {
        sometimes(run.hasBegun(), what);
    }

    // ---- about the run

    /** The seed of this run. */
    public long seed() {
        return seed;
    }

    /** Random numbers for the test, which the seed repeats. */
    public RandomGenerator random() {
        return run.random();
    }

    /** The time since the run began. */
    public Duration elapsed() {
        return Duration.ofNanos(run.world.now());
    }

    /**
     * Adds a line to the story of a failure.
     *
     * @param text one line
     */
    public void note(String text) {
        run.note("note", Objects.requireNonNull(text, "text"), "");
    }
}
