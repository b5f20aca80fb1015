package org.trueasync.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.HostClock;
import org.trueasync.internal.testkit.Trace;

/**
 * Which faults happen in a simulation. When, where and for how long is decided by the seed, and which of the named
 * kinds a run has. In some runs they hit any host, in others most of them hit the server that sends most. Without a
 * call of these methods there are none.
 */
public final class Faults {
    /** A sum with the time of a run does not overflow. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    /** What faults of a kind do. */
    interface Kind {
        /** Decides whom a fault hits, and how hard, when it begins. */
        Effect decide(Aim aim);
    }

    /**
     * What a fault does.
     *
     * @param text for people
     * @param end null if it is over at once
     */
    record Effect(
            String text,
            Consumer<SimulatedRun> begin,
            @Nullable Consumer<SimulatedRun> end) {}

    private static final long SHORTEST = 1_000_000;

    private final List<Kind> kinds = new ArrayList<>(0);
    private Duration every = Duration.ofSeconds(5);
    private Duration until = Duration.ofSeconds(60);

    Faults() {}

    /** The network falls apart: some hosts don't reach the others, both ways or one way. */
    public Faults partitions() {
        kinds.add(aim -> {
            List<String> one = aim.side();
            List<String> other = aim.without(one);
            boolean oneWay = aim.random().nextInt(4) == 0;
            return new Effect(
                    "no packets from " + one + " to " + other + (oneWay ? "" : ", nor back"),
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
        kinds.add(aim -> {
            List<String> link = aim.link();
            String from = link.getFirst();
            String to = link.getLast();
            long nanos = 1 + aim.random().nextLong(1_000_000_000);
            return new Effect(
                    "packets from " + from + " to " + to + " take " + Trace.shown(nanos) + " longer",
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
        kinds.add(aim -> {
            List<String> link = aim.link();
            String from = link.getFirst();
            String to = link.getLast();
            int oneIn = 2 << aim.random().nextInt(5);
            double share = 1.0 / oneIn;
            return new Effect(
                    "1 of " + oneIn + " packets from " + from + " to " + to + " is lost",
                    run -> run.world.network().lose(from, to, share, true),
                    run -> run.world.network().lose(from, to, share, false));
        });
        return this;
    }

    /** All connections of a host with others are reset. */
    public Faults resets() {
        kinds.add(aim -> {
            String host = aim.host();
            return new Effect(
                    "the connections of " + host + " are reset",
                    run -> run.world.network().resetConnections(host),
                    null);
        });
        return this;
    }

    /**
     * A host loses its power, and begins again some time later; now and then several at once, as those of one rack.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults kills(String... which) {
        Objects.requireNonNull(which, "which");
        kinds.add(aim -> {
            List<String> hosts = aim.servers(which);
            return new Effect(
                    String.join(", ", hosts) + (hosts.size() == 1 ? " has" : " have") + " no power",
                    run -> hosts.forEach(host -> run.host(host).power(true)),
                    run -> hosts.forEach(host -> run.host(host).power(false)));
        });
        return this;
    }

    /**
     * A host stands still for a while, as a machine that swaps or a virtual machine that is moved.
     *
     * @param which their names; none for all
     */
    public Faults pauses(String... which) {
        Objects.requireNonNull(which, "which");
        kinds.add(aim -> {
            String host = aim.host(which);
            long end = aim.until();
            return new Effect(host + " stands still", run -> run.host(host).rest(end, true), run -> run.host(host)
                    .rest(end, false));
        });
        return this;
    }

    /**
     * The disk of a host fails at some of its writes and syncs, with {@code EIO}.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults diskErrors(String... which) {
        Objects.requireNonNull(which, "which");
        kinds.add(aim -> {
            String host = aim.server(which);
            double probability = 1.0 / (1 << aim.random().nextInt(6));
            return new Effect(
                    "the disk of " + host + " fails at 1 of " + Math.round(1 / probability) + " writes and syncs",
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
        Objects.requireNonNull(which, "which");
        kinds.add(aim -> {
            String host = aim.server(which);
            long nanos = 1 + aim.random().nextLong(1_000_000_000);
            return new Effect(
                    "a sync of " + host + " takes " + Trace.shown(nanos) + " longer",
                    run -> run.host(host).syncTakes(nanos),
                    run -> run.host(host).syncTakes(-nanos));
        });
        return this;
    }

    /**
     * The clocks of a host are wrong. Either its wall clock jumps, by 0.1 s to an hour, forwards or backwards, and
     * jumps back later, as when somebody corrects it; smaller errors are corrected without a jump. Or both its clocks,
     * and with them its timers, run faster or slower: by 10 to 500 millionths, as quartz does and NTP corrects it, or
     * on bad days by up to a tenth, which is what a system lets its time service do.
     *
     * @param which their names; none for all that are no clients
     */
    public Faults clocks(String... which) {
        Objects.requireNonNull(which, "which");
        kinds.add(aim -> {
            String host = aim.server(which);
            boolean jumps = aim.random().nextBoolean();
            boolean negative = aim.random().nextBoolean();
            long size = jumps
                    ? between(aim.random(), 1e8, 3.6e12)
                    : between(aim.random(), 10, aim.random().nextBoolean() ? 500 : 100_000);
            long amount = negative ? -size : size;
            String text = jumps
                    ? "the wall clock of " + host + " is " + Trace.shown(size) + (negative ? " behind" : " ahead")
                    : "the clocks of " + host + " are " + size + " ppm " + (negative ? "slow" : "fast");
            return new Effect(text, run -> clock(run, host, jumps, amount), run -> clock(run, host, jumps, -amount));
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
     * Sets the mean time between the beginnings of two faults, which last about as long. Both are longer in some runs,
     * and shorter in others. Default 5 s.
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
        return time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }

    /** The faults of a run. */
    List<Fault> draw(SplittableRandom random, boolean anyServer) {
        List<Fault> all = new ArrayList<>();
        if (kinds.isEmpty() || !anyServer) return all;
        // What one run does not have gives others room, and different bugs need different runs (swarm testing).
        List<Kind> chosen = new ArrayList<>();
        while (chosen.isEmpty()) for (Kind kind : kinds) if (random.nextBoolean()) chosen.add(kind);
        Duration mean = every.multipliedBy(1L << random.nextInt(4)).dividedBy(2);
        Duration length = every.multipliedBy(1L << random.nextInt(4)).dividedBy(4);
        double atBusiest = random.nextInt(3) / 2.0;
        long at = 0;
        while ((at += exponential(random, mean)) < until.toNanos()) {
            Kind kind = chosen.get(random.nextInt(chosen.size()));
            boolean aimed = random.nextDouble() < atBusiest;
            all.add(new Fault(all.size(), at, at + duration(random, length), kind, random.split(), aimed));
        }
        return all;
    }

    private static long duration(SplittableRandom random, Duration mean) {
        return SHORTEST + exponential(random, mean);
    }

    private static long exponential(SplittableRandom random, Duration mean) {
        return (long) (-StrictMath.log(1 - random.nextDouble()) * mean.toNanos());
    }
}
