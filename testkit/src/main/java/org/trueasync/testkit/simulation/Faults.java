package org.trueasync.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.trueasync.internal.testkit.HostClock;
import org.trueasync.internal.testkit.Trace;

/**
 * Which faults happen in a simulation. When, where and for how long is decided by the seed. Without a call of these
 * methods there are none.
 */
public final class Faults {
    private interface Kind {
        /** Makes a fault of this kind. */
        Fault draw(int number, long at, SplittableRandom random, Parts parts);
    }

    /** Of a simulation: the names of all hosts, and of those that are no clients. */
    record Parts(List<String> hosts, List<String> servers) {}

    private static final long SHORTEST = 1_000_000;

    private final List<Kind> kinds = new ArrayList<>(0);
    private Duration every = Duration.ofSeconds(5);
    private Duration until = Duration.ofSeconds(60);

    Faults() {}

    /** The network falls apart: some hosts don't reach the others, both ways or one way. */
    public Faults partitions() {
        kinds.add((number, at, random, parts) -> {
            List<String> one = new ArrayList<>();
            List<String> other = new ArrayList<>();
            do {
                one.clear();
                other.clear();
                for (String host : parts.hosts()) (random.nextBoolean() ? one : other).add(host);
            } while (parts.hosts().size() > 1 && (one.isEmpty() || other.isEmpty()));
            boolean oneWay = random.nextInt(4) == 0;
            return new Fault(
                    number,
                    "no packets from " + one + " to " + other + (oneWay ? "" : ", nor back"),
                    at,
                    at + duration(random, every),
                    run -> cut(run, one, other, oneWay, true),
                    run -> cut(run, one, other, oneWay, false));
        });
        return this;
    }

    private static void cut(SimulatedRun run, List<String> one, List<String> other, boolean oneWay, boolean cuts) {
        for (String from : one) {
            for (String to : other) {
                run.world.network().cut(from, to, cuts);
                if (!oneWay) run.world.network().cut(to, from, cuts);
            }
        }
    }

    /** All packets from one host to another take longer, up to a second. */
    public Faults slowLinks() {
        kinds.add((number, at, random, parts) -> {
            String from = any(parts.hosts(), random);
            String to = any(parts.hosts(), random);
            long nanos = 1 + random.nextLong(1_000_000_000);
            return new Fault(
                    number,
                    "packets from " + from + " to " + to + " take " + Trace.shown(nanos) + " longer",
                    at,
                    at + duration(random, every),
                    run -> run.world.network().slow(from, to, nanos),
                    run -> run.world.network().slow(from, to, -nanos));
        });
        return this;
    }

    /**
     * Packets from one host to another get lost. UDP loses some of its datagrams, others come twice, and others up to a
     * second late; TCP sends again, and is slow.
     */
    public Faults packetLoss() {
        kinds.add((number, at, random, parts) -> {
            String from = any(parts.hosts(), random);
            String to = any(parts.hosts(), random);
            int oneIn = 2 << random.nextInt(5);
            double share = 1.0 / oneIn;
            return new Fault(
                    number,
                    "1 of " + oneIn + " packets from " + from + " to " + to + " is lost",
                    at,
                    at + duration(random, every),
                    run -> run.world.network().lose(from, to, share, true),
                    run -> run.world.network().lose(from, to, share, false));
        });
        return this;
    }

    /** All connections of a host with others are reset. */
    public Faults resets() {
        kinds.add((number, at, random, parts) -> {
            String host = any(parts.hosts(), random);
            return new Fault(
                    number,
                    "the connections of " + host + " are reset",
                    at,
                    at,
                    run -> run.world.network().resetConnections(host),
                    run -> {});
        });
        return this;
    }

    /**
     * A host loses its power, and begins again some time later.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults kills(String... which) {
        kinds.add((number, at, random, parts) -> {
            String host = any(which, parts.servers(), random);
            return new Fault(
                    number,
                    host + " has no power",
                    at,
                    at + duration(random, every),
                    run -> run.host(host).power(true),
                    run -> run.host(host).power(false));
        });
        return this;
    }

    /**
     * A host stands still for a while, as a machine that swaps or a virtual machine that is moved.
     *
     * @param which their names; none for all
     */
    public Faults pauses(String... which) {
        kinds.add((number, at, random, parts) -> {
            String host = any(which, parts.hosts(), random);
            long end = at + duration(random, every);
            return new Fault(
                    number,
                    host + " stands still",
                    at,
                    end,
                    run -> run.host(host).rest(end, true),
                    run -> run.host(host).rest(end, false));
        });
        return this;
    }

    /**
     * The disk of a host fails at some of its writes and syncs, with {@code EIO}.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults diskErrors(String... which) {
        kinds.add((number, at, random, parts) -> {
            String host = any(which, parts.servers(), random);
            double probability = 1.0 / (1 << random.nextInt(6));
            return new Fault(
                    number,
                    "the disk of " + host + " fails at 1 of " + Math.round(1 / probability) + " writes and syncs",
                    at,
                    at + duration(random, every),
                    run -> run.host(host).diskErrors(probability, true),
                    run -> run.host(host).diskErrors(probability, false));
        });
        return this;
    }

    /**
     * The disk of a host is slow: a sync takes up to a second.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults slowDisks(String... which) {
        kinds.add((number, at, random, parts) -> {
            String host = any(which, parts.servers(), random);
            long nanos = 1 + random.nextLong(1_000_000_000);
            return new Fault(
                    number,
                    "a sync of " + host + " takes " + Trace.shown(nanos) + " longer",
                    at,
                    at + duration(random, every),
                    run -> run.host(host).syncTakes(nanos),
                    run -> run.host(host).syncTakes(-nanos));
        });
        return this;
    }

    /**
     * The clocks of a host are wrong. Either its wall clock jumps, by 0.1 s to an hour, forwards or backwards, and jumps
     * back later, as when somebody corrects it; smaller errors are corrected without a jump. Or both its clocks, and
     * with them its timers, run faster or slower: by 10 to 500 millionths, as quartz does and NTP corrects it, or on
     * bad days by up to a tenth, which is what a system lets its time service do.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults clocks(String... which) {
        kinds.add((number, at, random, parts) -> {
            String host = any(which, parts.servers(), random);
            boolean jumps = random.nextBoolean();
            boolean negative = random.nextBoolean();
            long size = jumps ? between(random, 1e8, 3.6e12) : between(random, 10, random.nextBoolean() ? 500 : 100_000);
            long amount = negative ? -size : size;
            String text = jumps
                    ? "the wall clock of " + host + " is " + Trace.shown(size) + (negative ? " behind" : " ahead")
                    : "the clocks of " + host + " are " + size + " ppm " + (negative ? "slow" : "fast");
            return new Fault(
                    number,
                    text,
                    at,
                    at + duration(random, every),
                    run -> clock(run, host, jumps, amount),
                    run -> clock(run, host, jumps, -amount));
        });
        return this;
    }

    private static void clock(SimulatedRun run, String host, boolean jumps, long amount) {
        HostClock clock = run.host(host).clock();
        if (jumps) clock.jump(amount);
        else clock.drift(amount);
    }

    /** Small and large numbers alike. */
    private static long between(SplittableRandom random, double least, double most) {
        return (long) (least * StrictMath.pow(most / least, random.nextDouble()));
    }

    /**
     * Sets the mean time between the beginnings of two faults. They last about as long. Default 5 s.
     *
     * @param mean above 0
     * @throws IllegalArgumentException if it is not
     */
    public Faults every(Duration mean) {
        every = requirePositive(mean, "every");
        return this;
    }

    /**
     * Sets until when faults begin, from the beginning of the run. Default 60 s.
     *
     * @param last above 0
     * @throws IllegalArgumentException if it is not
     */
    public Faults until(Duration last) {
        until = requirePositive(last, "until");
        return this;
    }

    static Duration requirePositive(Duration time, String name) {
        Objects.requireNonNull(time, name);
        if (!time.isPositive()) throw new IllegalArgumentException(name + " must be > 0, got " + time);
        return time;
    }

    /** The faults of a run. */
    List<Fault> draw(SplittableRandom random, Parts parts) {
        List<Fault> all = new ArrayList<>();
        if (kinds.isEmpty() || parts.servers().isEmpty()) return all;
        // Some runs are calm and some are not, since different bugs need different ones.
        Duration mean = every.multipliedBy(1L << random.nextInt(4)).dividedBy(2);
        long at = 0;
        while ((at += exponential(random, mean)) < until.toNanos())
            all.add(kinds.get(random.nextInt(kinds.size())).draw(all.size(), at, random, parts));
        return all;
    }

    private static long duration(SplittableRandom random, Duration mean) {
        return SHORTEST + exponential(random, mean);
    }

    private static long exponential(SplittableRandom random, Duration mean) {
        return (long) (-StrictMath.log(1 - random.nextDouble()) * mean.toNanos());
    }

    /** One of those that are named, or of the others if none is. */
    private static String any(String[] named, List<String> others, SplittableRandom random) {
        return any(named.length == 0 ? others : List.of(named), random);
    }

    private static String any(List<String> hosts, SplittableRandom random) {
        return hosts.get(random.nextInt(hosts.size()));
    }
}
